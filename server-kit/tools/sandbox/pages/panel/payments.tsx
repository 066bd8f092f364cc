import { missingAmount } from '../format/amounts.ts';
import { formatMoney } from '../format/money.ts';
import { formatAccountNumber } from '../format/text.ts';
import { usePanel } from './model.ts';
import { AccountNumber, ActionButton, Badge, Timestamp } from './parts.tsx';
import { PaymentDetails, type PaymentProps, useTransfer } from './payment-details.tsx';
import { RecordList } from './record-list.tsx';

export function Payments() {
  return (
    <RecordList
      section="payments"
      intro="Play the bank: make the money arrive, or not."
      records={usePanel().data.payments}
      idOf={({ reference }) => reference}
      filterFields={({ reference, id, accountNumber, status, amount, customer }) => [
        ...[reference, id, accountNumber, status, formatMoney(amount), customer?.name, customer?.email],
      ]}
      filterBy="reference, account number, status"
      row={(payment) => <PaymentRow payment={payment} />}
      rowActions={(payment) => <PaymentButtons payment={payment} />}
      details={(payment) => <PaymentDetails payment={payment} />}
      empty={
        <>
          <h3>No payment yet</h3>
          <p>
            Initiate one from your server, or with the command that{' '}
            <code>transfer-checkout sign request</code> prints.
          </p>
        </>
      }
    />
  );
}

function PaymentRow({ payment }: PaymentProps) {
  const { amount, status, reference, createdAt } = payment;
  return (
    <>
      <strong class="amount">{formatMoney(amount)}</strong>
      <Badge status={status} />
      <code class="name">{reference}</code>
      <span class="when">
        <Timestamp at={createdAt} />
      </span>
    </>
  );
}

function PaymentButtons({ payment: { accountNumber, amount }, payment }: PaymentProps) {
  const transfer = useTransfer();
  const missing = missingAmount(payment);
  const text = missing === amount.value ? 'Send exactly' : 'Send the rest';
  const exact = formatMoney({ value: missing, currency: amount.currency });
  return (
    <>
      <AccountNumber number={accountNumber} />
      {missing > 0 && (
        <ActionButton
          action="send-exact"
          kind="primary"
          label={`${text}: ${exact} to ${formatAccountNumber(accountNumber)}`}
          run={() => transfer(accountNumber, missing)}
        >
          {text}
        </ActionButton>
      )}
    </>
  );
}
