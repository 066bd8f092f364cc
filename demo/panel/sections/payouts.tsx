import { formatMoney } from '../../money.ts';
import { usePanel } from '../panel-context.ts';
import { formatWord } from '../panel-text.ts';
import { ActionButton } from '../parts/action-button.tsx';
import { Badge } from '../parts/badge.tsx';
import { CallbacksOf } from '../parts/callbacks-of.tsx';
import { RawJson } from '../parts/code-block.tsx';
import { Facts } from '../parts/facts.tsx';
import { Form } from '../parts/form.tsx';
import { currencies } from '../parts/form-options.ts';
import { Moment } from '../parts/moment.tsx';
import { RecordList } from '../parts/record-list.tsx';
import { Create, Section } from '../parts/section.tsx';
import type { Payout } from '../records.ts';
import { payoutMoves } from './payout-moves.ts';

type PayoutProps = { payout: Payout };

const nameOf = ({ reference, id }: Payout): string => reference ?? id;

export function Payouts() {
  const { lists } = usePanel();
  return (
    <Section
      id="payouts"
      intro="Money that leaves the merchant’s balance. The service has no call to create one: they begin here."
    >
      <Create title="Create a payout">
        <CreatePayout />
      </Create>
      <RecordList
        section="payouts"
        watched={lists.payouts}
        idOf={({ id }) => id}
        textOf={({ id, reference, status, confirmationState, amount, currency, destinationAccountNumber }) =>
          [
            id,
            reference,
            status,
            confirmationState,
            formatMoney({ value: amount, currency }),
            destinationAccountNumber,
          ].join(' ')
        }
        filterBy="reference, destination, status"
        row={({ id, reference, amount, currency, status, createdAt }) => (
          <>
            <strong class="amount">{formatMoney({ value: amount, currency })}</strong>
            <Badge status={status} />
            <code class="name">{reference ?? id}</code>
            <span class="when">{createdAt && <Moment at={createdAt} />}</span>
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
        { name: 'amount', label: 'Amount', kind: 'money', currency: 'NGN', isRequired: true },
        { name: 'currency', label: 'Currency', kind: 'choice', options: currencies },
        { name: 'destinationAccountNumber', label: 'To account', kind: 'account' },
        { name: 'reference', label: 'Reference', kind: 'text', hint: 'Left empty, the sandbox makes one.' },
        { name: 'narration', label: 'Narration', kind: 'text' },
        { name: 'callbackUrl', label: 'Callback URL', kind: 'text', inputMode: 'url' },
        { name: 'requiresConfirmation', label: 'Has to be confirmed first', kind: 'switch' },
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
            { name: 'Created', value: payout.createdAt && <Moment at={payout.createdAt} /> },
          ]}
        />
        <ChangePayout payout={payout} />
      </div>
      <CallbacksOf ids={[id, payout.reference]} callbackUrl={callbackUrl} />
      <RawJson record={payout} />
    </>
  );
}

function ChangePayout({ payout }: PayoutProps) {
  const { act, calls } = usePanel();
  const moves = payoutMoves(payout);
  const update = (input: object, done: string) =>
    act(async () => {
      await calls.updatePayout(payout.id, input);
      return `${nameOf(payout)} ${done}.`;
    });
  return (
    <section class="part">
      <h3>What happens next</h3>
      {moves.length === 0 && <p class="quiet">Nothing follows {formatWord(payout.status)}.</p>}
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
            {
              name: 'failureMessage',
              label: 'Failure message',
              kind: 'text',
              value: 'The balance is too low.',
            },
          ]}
          submit="Fail with this"
          run={(values) => update({ status: 'failed', ...values }, 'is now failed')}
        />
      )}
    </section>
  );
}
