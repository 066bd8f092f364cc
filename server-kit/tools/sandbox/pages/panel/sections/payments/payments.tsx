import type { ControlPayment } from 'transfer-checkout/sandbox';
import { missingAmount } from '../../../format/amounts.ts';
import { formatMoney } from '../../../format/money.ts';
import { waitsUntil } from '../../../format/records.ts';
import { formatAccountNumber } from '../../../format/text.ts';
import { usePanel } from '../../model/panel-context.ts';
import { ActionButton } from '../../parts/action-button.tsx';
import { Badge } from '../../parts/badge.tsx';
import { AccountNumber } from '../../parts/copy-button.tsx';
import { RecordList } from '../../parts/record-list.tsx';
import { CollapsibleForm } from '../../parts/section.tsx';
import { TimeLeft, When } from '../../parts/time.tsx';
import { PaymentDetails } from './payment-details.tsx';
import { SendToAnyAccount, useTransfer } from './send-money.tsx';

export function Payments() {
  const { data } = usePanel();
  return (
    <RecordList
      section="payments"
      intro="Play the bank: make the money arrive, or not."
      polled={data.payments}
      idOf={({ reference }) => reference}
      filterFields={({ reference, id, accountNumber, status, amount, customer }) => [
        reference,
        id,
        accountNumber,
        status,
        formatMoney(amount),
        customer?.name,
        customer?.email,
      ]}
      filterBy="reference, account number, status"
      row={(payment) => <PaymentRow payment={payment} />}
      rowActions={(payment) => <PaymentButtons payment={payment} />}
      details={(payment) => <PaymentDetails payment={payment} />}
      empty={<NoPayments />}
    >
      <CollapsibleForm title="Send money to any account number">
        <SendToAnyAccount />
      </CollapsibleForm>
    </RecordList>
  );
}

function PaymentRow({ payment }: { payment: ControlPayment }) {
  const { amount, status, reference, createdAt } = payment;
  return (
    <>
      <strong class="amount">{formatMoney(amount)}</strong>
      <Badge status={status} />
      <code class="name">{reference}</code>
      <TimeLeft until={waitsUntil(payment)} />
      <When at={createdAt} />
    </>
  );
}

function PaymentButtons({ payment }: { payment: ControlPayment }) {
  const { accountNumber, amount } = payment;
  const transfer = useTransfer();
  const missing = missingAmount(payment);
  const text = missing === amount.value ? 'Send exactly' : 'Send the rest';
  const exact = formatMoney({ value: missing, currency: amount.currency });
  return (
    <div class="record-beside">
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
    </div>
  );
}

const NoPayments = () => (
  <>
    <h3>No payment yet</h3>
    <p>
      Initiate one from your server: <code>client.payments.initiate(…)</code>. The{' '}
      <a href="#/credentials">credentials</a> are ready to copy, with a snippet. It appears here by itself.
    </p>
  </>
);
