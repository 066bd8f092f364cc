import { missingAmount } from '../format/amounts.ts';
import { formatMoney } from '../format/money.ts';
import { waitsUntil } from '../format/records.ts';
import { formatAccountNumber } from '../format/text.ts';
import { Form } from './form.tsx';
import { usePanel } from './model.ts';
import { AccountNumber, ActionButton, Badge, Folded, TimeLeft, Timestamp } from './parts.tsx';
import { PaymentDetails, type PaymentProps, useTransfer } from './payment-details.tsx';
import { RecordList } from './record-list.tsx';
import { hrefOf } from './route.ts';

export function Payments() {
  const { act, calls, data, nowSeconds } = usePanel();
  const transfer = useTransfer();
  return (
    <RecordList
      section="payments"
      intro="Play the bank: make the money arrive, or not."
      records={data.payments}
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
            Create one above, or initiate one from your server: <code>client.payments.initiate(…)</code>. The{' '}
            <a href={hrefOf('credentials')}>credentials</a> are ready to copy, with a snippet.
          </p>
        </>
      }
    >
      <Folded title="New payment">
        <Form
          name="create-payment"
          fields={[
            { name: 'amount', label: 'Amount, in NGN', kind: 'money', placeholder: '0.00', isRequired: true },
            { name: 'reference', label: 'Reference', kind: 'text', placeholder: 'created here' },
            { name: 'callbackUrl', label: 'Callback URL', kind: 'text' },
          ]}
          submit="Create payment"
          run={({ amount, reference = `panel-${nowSeconds.value}`, ...more }) =>
            act(
              () => calls.initiate({ ...more, reference, amount: { value: amount, currency: 'NGN' } }),
              `Created the payment ${reference}.`,
            )
          }
        />
      </Folded>
      <Folded title="Send money to any account number">
        <Form
          name="send-anywhere"
          fields={[
            { name: 'accountNumber', label: 'Account number', kind: 'text', isRequired: true },
            { name: 'amount', label: 'Amount', kind: 'money', placeholder: '0.00', isRequired: true },
          ]}
          submit="Send money"
          run={({ accountNumber, amount }) =>
            transfer(String(accountNumber).replaceAll(' ', ''), Number(amount))
          }
        />
      </Folded>
    </RecordList>
  );
}

function PaymentRow({ payment }: PaymentProps) {
  const { amount, status, reference, createdAt } = payment;
  return (
    <>
      <strong class="amount">{formatMoney(amount)}</strong>
      <Badge status={status} />
      <code class="name">{reference}</code>
      <TimeLeft until={waitsUntil(payment)} />
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
