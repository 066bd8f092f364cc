import { formatMoney } from '../../money.ts';
import { usePanel } from '../panel-context.ts';
import { formatAccountNumber, formatCountdown, secondsLeft } from '../panel-text.ts';
import { ActionButton } from '../parts/action-button.tsx';
import { Badge } from '../parts/badge.tsx';
import { CopyButton } from '../parts/copy-button.tsx';
import { Moment } from '../parts/moment.tsx';
import { RecordList } from '../parts/record-list.tsx';
import { Create, Section } from '../parts/section.tsx';
import type { Payment } from '../records.ts';
import { PaymentDetails } from './payment-details.tsx';
import { missingOf, SendToAnyAccount, useTransfer } from './send-money.tsx';

export function Payments() {
  const { lists } = usePanel();
  return (
    <Section id="payments" intro="Be the bank: make the money arrive, or not.">
      <Create title="Send money to any account number">
        <SendToAnyAccount />
      </Create>
      <RecordList
        section="payments"
        watched={lists.payments}
        idOf={({ reference }) => reference}
        textOf={({ reference, id, accountNumber, status, amount, customer }) =>
          [reference, id, accountNumber, status, formatMoney(amount), customer?.name, customer?.email].join(
            ' ',
          )
        }
        filterBy="reference, account number, status"
        row={(payment) => <PaymentRow payment={payment} />}
        beside={(payment) => <PaymentButtons payment={payment} />}
        details={(payment) => <PaymentDetails payment={payment} />}
        empty={<NoPayments />}
      />
    </Section>
  );
}

function PaymentRow({ payment }: { payment: Payment }) {
  const { amount, status, reference, createdAt } = payment;
  return (
    <>
      <strong class="amount">{formatMoney(amount)}</strong>
      <Badge status={status} />
      <code class="name">{reference}</code>
      <TimeLeft payment={payment} />
      <span class="when">
        <Moment at={createdAt} />
      </span>
    </>
  );
}

/** How long the account still waits; nothing once it does not. */
function TimeLeft({ payment }: { payment: Payment }) {
  const { time } = usePanel();
  const now = time.nowSeconds.value;
  const left = now === undefined ? undefined : secondsLeft(payment, now);
  if (left === undefined) return null;
  return (
    <span class="time-left" data-field="countdown">
      {formatCountdown(left)} left
    </span>
  );
}

function PaymentButtons({ payment }: { payment: Payment }) {
  const { accountNumber, amount, nextStatuses } = payment;
  const transfer = useTransfer();
  const missing = missingOf(payment);
  const text = missing === amount.value ? 'Send exactly' : 'Send the rest';
  const exact = formatMoney({ value: missing, currency: amount.currency });
  return (
    <div class="record-beside">
      <span class="account" data-field="accountNumber">
        {formatAccountNumber(accountNumber)}
        <CopyButton label={`account number ${accountNumber}`} value={accountNumber} />
      </span>
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
      <a href="#/credentials">credentials</a> are ready to copy, with a snippet. It shows up here by itself.
    </p>
  </>
);
