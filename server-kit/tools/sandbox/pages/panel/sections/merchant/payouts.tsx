import { payoutTransitions, type SandboxPayout } from 'transfer-checkout/sandbox';
import { formatMoney } from '../../../format/money.ts';
import { formatWord } from '../../../format/text.ts';
import { CreateForm } from '../../forms/create-form.tsx';
import { Form } from '../../forms/form.tsx';
import { currencies, type FieldSpec } from '../../forms/form-field.tsx';
import { usePanel } from '../../model/panel-context.ts';
import type { Result } from '../../model/panel-model.ts';
import { Actions } from '../../parts/actions.tsx';
import { Badge } from '../../parts/badge.tsx';
import { RawJson } from '../../parts/code-block.tsx';
import { Facts } from '../../parts/facts.tsx';
import { RecordCallbacks } from '../../parts/record-callbacks.tsx';
import { RecordList } from '../../parts/record-list.tsx';
import { Part } from '../../parts/section.tsx';
import { Timestamp, When } from '../../parts/time.tsx';
import { payoutActions } from './payout-actions.ts';

type PayoutProps = { payout: SandboxPayout };

const moneyOf = ({ amount, currency }: SandboxPayout): string =>
  formatMoney({ value: amount, currency: currency ?? 'NGN' });

const nameOf = ({ reference, id }: SandboxPayout): string => reference ?? id;

const fields: readonly FieldSpec[] = [
  { name: 'amount', label: 'Amount', kind: 'money', currencyField: 'currency', isRequired: true },
  { name: 'currency', label: 'Currency', kind: 'choice', options: currencies },
  { name: 'destinationAccountNumber', label: 'To account', kind: 'account' },
  { name: 'reference', label: 'Reference', kind: 'text', hint: 'If empty, the sandbox creates one.' },
  { name: 'narration', label: 'Narration', kind: 'text' },
  { name: 'callbackUrl', label: 'Callback URL', kind: 'url' },
  { name: 'requiresConfirmation', label: 'Requires confirmation', kind: 'switch' },
];

export function Payouts() {
  const { calls, data } = usePanel();
  return (
    <RecordList
      section="payouts"
      intro="Money that leaves the merchant’s balance. The service cannot create payouts; create them here."
      polled={data.payouts}
      idOf={({ id }) => id}
      filterFields={(payout) => [
        payout.id,
        payout.reference,
        payout.status,
        payout.confirmationState,
        moneyOf(payout),
        payout.destinationAccountNumber,
      ]}
      filterBy="reference, destination, status"
      row={(payout) => (
        <>
          <strong class="amount">{moneyOf(payout)}</strong>
          <Badge status={payout.status} />
          <code class="name">{nameOf(payout)}</code>
          <When at={payout.createdAt} />
        </>
      )}
      details={(payout) => <PayoutDetails payout={payout} />}
      empty={
        <>
          <h3>No payout yet</h3>
          <p>Create one above; your server then finds it with client.payouts.list().</p>
        </>
      }
    >
      <CreateForm kind="payout" fields={fields} create={calls.createPayout} nameOf={nameOf} />
    </RecordList>
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
  const update = (input: object, done: string): Promise<Result> =>
    act(() => calls.updatePayout(payout.id, input), `${nameOf(payout)} ${done}.`);
  const actions = payoutActions(payout, update);
  return (
    <Part title="Next step">
      {actions.length === 0 && <p class="quiet">No status follows {formatWord(payout.status)}.</p>}
      <Actions of={nameOf(payout)} actions={actions} />
      {payoutTransitions[payout.status].includes('failed') && (
        <Form
          name="fail-payout"
          kind="plain"
          fields={failureFields}
          submit="Fail with this reason"
          run={(why) => update({ status: 'failed', ...why }, 'is now failed')}
        />
      )}
    </Part>
  );
}

const failureFields: readonly FieldSpec[] = [
  { name: 'failureCode', label: 'Failure code', kind: 'text', value: 'insufficient_funds', isRequired: true },
  { name: 'failureMessage', label: 'Failure message', kind: 'text', value: 'The balance is too low.' },
];
