import type { SandboxPayout } from 'transfer-checkout/sandbox';
import { formatMoney } from '../../../format/money.ts';
import { formatWord } from '../../../format/text.ts';
import { Form } from '../../forms/form.tsx';
import { currencies } from '../../forms/form-field.tsx';
import { usePanel } from '../../model/panel-context.ts';
import type { Result } from '../../model/panel-model.ts';
import { ActionButton } from '../../parts/action-button.tsx';
import { Badge } from '../../parts/badge.tsx';
import { RawJson } from '../../parts/code-block.tsx';
import { Facts } from '../../parts/facts.tsx';
import { RecordCallbacks } from '../../parts/record-callbacks.tsx';
import { RecordList } from '../../parts/record-list.tsx';
import { CollapsibleForm, Section } from '../../parts/section.tsx';
import { Timestamp } from '../../parts/time.tsx';
import { payoutActions } from './payout-actions.ts';

type PayoutProps = { payout: SandboxPayout };

const moneyOf = ({ amount, currency }: SandboxPayout): string =>
  formatMoney({ value: amount, currency: currency ?? 'NGN' });

const nameOf = ({ reference, id }: SandboxPayout): string => reference ?? id;

export function Payouts() {
  const { data } = usePanel();
  return (
    <Section
      id="payouts"
      intro="Money that leaves the merchant’s balance. The service cannot create payouts; create them here."
    >
      <CollapsibleForm title="Create a payout">
        <CreatePayout />
      </CollapsibleForm>
      <RecordList
        section="payouts"
        polled={data.payouts}
        idOf={({ id }) => id}
        textOf={(payout) =>
          [
            payout.id,
            payout.reference,
            payout.status,
            payout.confirmationState,
            moneyOf(payout),
            payout.destinationAccountNumber,
          ].join(' ')
        }
        filterBy="reference, destination, status"
        row={(payout) => (
          <>
            <strong class="amount">{moneyOf(payout)}</strong>
            <Badge status={payout.status} />
            <code class="name">{nameOf(payout)}</code>
            <span class="when">
              <Timestamp at={payout.createdAt} />
            </span>
          </>
        )}
        details={(payout) => <PayoutDetails payout={payout} />}
        empty={
          <>
            <h3>No payout yet</h3>
            <p>Create one above; your server then finds it with client.payouts.list().</p>
          </>
        }
      />
    </Section>
  );
}

function CreatePayout() {
  const { act, calls } = usePanel();
  return (
    <Form
      name="create-payout"
      fields={[
        { name: 'amount', label: 'Amount', kind: 'money', currencyField: 'currency', isRequired: true },
        { name: 'currency', label: 'Currency', kind: 'choice', options: currencies },
        { name: 'destinationAccountNumber', label: 'To account', kind: 'account' },
        { name: 'reference', label: 'Reference', kind: 'text', hint: 'If empty, the sandbox creates one.' },
        { name: 'narration', label: 'Narration', kind: 'text' },
        { name: 'callbackUrl', label: 'Callback URL', kind: 'text', inputMode: 'url' },
        { name: 'requiresConfirmation', label: 'Requires confirmation', kind: 'switch' },
      ]}
      submit="Create payout"
      run={(values) => act(async () => `Created the payout ${nameOf(await calls.createPayout(values))}.`)}
    />
  );
}

function PayoutDetails({ payout }: PayoutProps) {
  const { id, destinationAccountNumber, narration, confirmationState, approval, failureCode, callbackUrl } =
    payout;
  return (
    <>
      <div class="columns">
        <Facts
          facts={[
            { name: 'To account', value: destinationAccountNumber },
            { name: 'Narration', value: narration },
            {
              name: 'Confirmation',
              value: confirmationState && formatWord(confirmationState),
              field: 'confirmationState',
            },
            { name: 'Approved by', value: approval?.approvedBy },
            { name: 'Failure', value: failureCode && `${failureCode}: ${payout.failureMessage ?? ''}` },
            { name: 'Id', value: <code>{id}</code> },
            { name: 'Callbacks to', value: callbackUrl && <code>{callbackUrl}</code> },
            { name: 'Created', value: <Timestamp at={payout.createdAt} /> },
          ]}
        />
        <ChangePayout payout={payout} />
      </div>
      <RecordCallbacks ids={[id, payout.reference]} callbackUrl={callbackUrl} />
      <RawJson record={payout} />
    </>
  );
}

function ChangePayout({ payout }: PayoutProps) {
  const { act, calls } = usePanel();
  const moves = payoutActions(payout);
  const update = (input: object, done: string): Promise<Result> =>
    act(async () => {
      await calls.updatePayout(payout.id, input);
      return `${nameOf(payout)} ${done}.`;
    });
  return (
    <section class="part">
      <h3>Next step</h3>
      {moves.length === 0 && <p class="quiet">No status follows {formatWord(payout.status)}.</p>}
      <div class="buttons">
        {moves.map(({ action, text, input, done }) => (
          <ActionButton
            key={action}
            action={action}
            label={`${text}: ${nameOf(payout)}`}
            run={() => update(input, done)}
          >
            {text}
          </ActionButton>
        ))}
      </div>
      {moves.some(({ action }) => action === 'status-failed') && (
        <FailPayout fail={(why) => update({ status: 'failed', ...why }, 'is now failed')} />
      )}
    </section>
  );
}

/** Fails a payout with a reason. */
function FailPayout({ fail }: { fail: (why: object) => Promise<Result> }) {
  return (
    <Form
      name="fail-payout"
      kind="plain"
      fields={[
        {
          name: 'failureCode',
          label: 'Failure code',
          kind: 'text',
          value: 'insufficient_funds',
          isRequired: true,
        },
        { name: 'failureMessage', label: 'Failure message', kind: 'text', value: 'The balance is too low.' },
      ]}
      submit="Fail with this reason"
      run={fail}
    />
  );
}
