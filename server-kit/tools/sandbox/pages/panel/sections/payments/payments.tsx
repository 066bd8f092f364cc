import type { ControlPayment } from 'transfer-checkout/sandbox';
import { formatMoney } from '../../../format/money.ts';
import { waitsUntil } from '../../../format/records.ts';
import { formatAccountNumber } from '../../../format/text.ts';
import { usePanel } from '../../model/panel-context.ts';
import { ActionButton } from '../../parts/action-button.tsx';
import { Badge } from '../../parts/badge.tsx';
import { AccountNumber } from '../../parts/copy-button.tsx';
import { RecordList } from '../../parts/record-list.tsx';
import { CollapsibleForm, Section } from '../../parts/section.tsx';
import { TimeLeft, Timestamp } from '../../parts/time.tsx';
import { PaymentDetails } from './payment-details.tsx';
import { remainingOf, SendToAnyAccount, useTransfer } from './send-money.tsx';

export function Payments() {
  const { data } = usePanel();
  return (
    <Section id="payments" intro="Play the bank: make the money arrive, or not.">
      <CollapsibleForm title="Send money to any account number">
        <SendToAnyAccount />
      </CollapsibleForm>
      <RecordList
        section="payments"
        polled={data.payments}
        idOf={({ reference }) => reference}
        textOf={({ reference, id, accountNumber, status, amount, customer }) =>
          [reference, id, accountNumber, status, formatMoney(amount), customer?.name, customer?.email].join(
            ' ',
          )
        }
        filterBy="reference, account number, status"
        row={(payment) => <PaymentRow payment={payment} />}
        rowActions={(payment) => <PaymentButtons payment={payment} />}
        details={(payment) => <PaymentDetails payment={payment} />}
        empty={<NoPayments />}
      />
    </Section>
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
      <span class="when">
        <Timestamp at={createdAt} />
      </span>
    </>
  );
}

function PaymentButtons({ payment }: { payment: ControlPayment }) {
  const { accountNumber, amount, nextStatuses } = payment;
  const transfer = useTransfer();
  const missing = remainingOf(payment);
  const text = missing === amount.value ? 'Send exactly' : 'Send the rest';
  const exact = formatMoney({ value: missing, currency: amount.currency });
  return (
    <div class="record-beside">
      <AccountNumber number={accountNumber} />
      {nextStatuses.includes('charged') && missing > 0 && (
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
