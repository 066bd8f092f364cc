import type { ControlPayment } from 'transfer-checkout/sandbox';
import { amountChoices, missingAmount } from '../../../format/amounts.ts';
import { formatArrived } from '../../../format/records.ts';
import { formatWord } from '../../../format/text.ts';
import { PolicyChoice } from '../../forms/policy-choice.tsx';
import { SendAmount } from '../../forms/send-amount.tsx';
import { usePanel } from '../../model/panel-context.ts';
import type { Result } from '../../model/panel-model.ts';
import { Actions, statusActions } from '../../parts/actions.tsx';
import { RawJson } from '../../parts/code-block.tsx';
import { CopyButton } from '../../parts/copy-button.tsx';
import { Facts } from '../../parts/facts.tsx';
import { RecordCallbacks } from '../../parts/record-callbacks.tsx';
import { Part } from '../../parts/section.tsx';
import { Timestamp } from '../../parts/time.tsx';
import { Transfers } from '../../parts/transfers.tsx';
import { useTransfer } from './send-money.tsx';

const verbs = { expired: 'Expire now', failed: 'Fail', reversed: 'Reverse', succeeded: 'Confirm now' };

export function PaymentDetails({ payment }: { payment: ControlPayment }) {
  const transfer = useTransfer();
  return (
    <>
      <div class="columns">
        <PaymentFacts payment={payment} />
        <div class="stack">
          <SendAmount
            title="Send money"
            verb="send"
            to={payment.reference}
            currency={payment.amount.currency}
            choices={amountChoices(payment.amount.value, missingAmount(payment))}
            run={(amount) => transfer(payment.accountNumber, amount)}
          />
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
      () => calls.updatePayment(reference, { status }),
      ({ status: now }) => `${reference} is now ${formatWord(now)}.`,
    );
  const choose = (policy: string): Promise<Result> =>
    act(
      () => calls.updatePayment(reference, { acceptedAmountPolicy: policy }),
      `${reference} now accepts other amounts.`,
    );
  return (
    <Part title="Status and policy">
      {nextStatuses.length === 0 && <p class="quiet">No status follows {formatWord(payment.status)}.</p>}
      <Actions of={reference} actions={statusActions(nextStatuses, verbs, move)} />
      <PolicyChoice policy={acceptedAmountPolicy} choose={choose} />
    </Part>
  );
}
