import type { ControlPayment } from 'transfer-checkout/sandbox';
import { formatArrived } from '../../../format/records.ts';
import { formatWord } from '../../../format/text.ts';
import { PolicyChoice } from '../../forms/policy-choice.tsx';
import { usePanel } from '../../model/panel-context.ts';
import type { Result } from '../../model/panel-model.ts';
import { RawJson } from '../../parts/code-block.tsx';
import { CopyButton } from '../../parts/copy-button.tsx';
import { Facts } from '../../parts/facts.tsx';
import { RecordCallbacks } from '../../parts/record-callbacks.tsx';
import { StatusButtons } from '../../parts/status-buttons.tsx';
import { Timestamp } from '../../parts/time.tsx';
import { Transfers } from '../../parts/transfers.tsx';
import { SendMoney } from './send-money.tsx';

const verbs = { expired: 'Expire now', failed: 'Fail', reversed: 'Reverse', succeeded: 'Confirm now' };

export function PaymentDetails({ payment }: { payment: ControlPayment }) {
  return (
    <>
      <div class="columns">
        <PaymentFacts payment={payment} />
        <div class="stack">
          <SendMoney payment={payment} />
          <ChangePayment payment={payment} />
        </div>
      </div>
      <div class="columns">
        <Transfers transfers={payment.transfers} />
        <RecordCallbacks ids={[payment.id, payment.reference]} callbackUrl={payment.callbackUrl} />
      </div>
      <RawJson record={payment} />
    </>
  );
}

function PaymentFacts({ payment }: { payment: ControlPayment }) {
  const { id, reference, bankName, accountName, customer, expiresAt, callbackUrl } = payment;
  return (
    <Facts
      facts={[
        { name: 'Arrived', value: formatArrived(payment), field: 'chargedAmount' },
        { name: 'Account', value: `${accountName}, ${bankName}` },
        { name: 'Expires', value: expiresAt && <Timestamp at={expiresAt} /> },
        { name: 'Customer', value: customer && [customer.name, customer.email].filter(Boolean).join(' · ') },
        {
          name: 'Reference',
          value: (
            <>
              <code>{reference}</code> <CopyButton label="reference" value={reference} />
            </>
          ),
        },
        { name: 'Id', value: <code>{id}</code> },
        { name: 'Callbacks to', value: callbackUrl && <code>{callbackUrl}</code> },
        { name: 'Created', value: <Timestamp at={payment.createdAt} /> },
      ]}
    />
  );
}

function ChangePayment({ payment }: { payment: ControlPayment }) {
  const { act, calls } = usePanel();
  const { reference, nextStatuses, acceptedAmountPolicy } = payment;
  const move = (status: string): Promise<Result> =>
    act(
      async () =>
        `${reference} is now ${formatWord((await calls.updatePayment(reference, { status })).status)}.`,
    );
  const choose = (policy: string): Promise<Result> =>
    act(async () => {
      await calls.updatePayment(reference, { acceptedAmountPolicy: policy });
      return `${reference} now accepts other amounts.`;
    });
  return (
    <section class="part">
      <h3>Status and policy</h3>
      {nextStatuses.length === 0 && <p class="quiet">No status follows {formatWord(payment.status)}.</p>}
      <StatusButtons next={nextStatuses} verbs={verbs} of={reference} move={move} />
      <PolicyChoice policy={acceptedAmountPolicy} choose={choose} />
    </section>
  );
}
