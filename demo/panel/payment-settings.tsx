import type { TargetedEvent, TargetedSubmitEvent } from 'preact';
import { useId } from 'preact/hooks';
import type { ControlPayment } from 'transfer-checkout/sandbox';
import type { PaymentProps } from './payment-card.tsx';
import { policies, policyLabels } from './records.ts';

/** What is changed less often: which amounts the account takes, and the status itself. */
export function PaymentSettings({ model, payment }: PaymentProps) {
  return (
    <details class="settings">
      <summary>Policy and status</summary>
      <PolicyChoice model={model} payment={payment} />
      <StatusMenu model={model} payment={payment} />
    </details>
  );
}

function PolicyChoice({ model, payment }: PaymentProps) {
  const id = useId();
  const choose = (event: TargetedEvent<HTMLSelectElement>): void => {
    const acceptedAmountPolicy = event.currentTarget.value as ControlPayment['acceptedAmountPolicy'];
    model.updatePayment(payment, { acceptedAmountPolicy });
  };
  return (
    <div>
      <label for={id}>Accepted amounts</label>
      <select id={id} data-action="policy" value={payment.acceptedAmountPolicy} onChange={choose}>
        {policies.map((policy) => (
          <option key={policy} value={policy}>
            {policyLabels[policy]}
          </option>
        ))}
      </select>
    </div>
  );
}

function StatusMenu({ model, payment }: PaymentProps) {
  const id = useId();
  const { nextStatuses } = payment;
  const move = (event: TargetedSubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const chosen = new FormData(event.currentTarget).get('status');
    const status = nextStatuses.find((next) => next === chosen);
    if (status === undefined) model.report(`No status follows ${payment.status}.`, 'problem');
    else model.updatePayment(payment, { status });
  };
  return (
    <form onSubmit={move}>
      <label for={id}>Move the status to</label>
      <div class="field">
        <select id={id} name="status">
          {nextStatuses.length === 0 && <option value="">nothing follows {payment.status}</option>}
          {nextStatuses.map((status) => (
            <option key={status}>{status}</option>
          ))}
        </select>
        <button type="submit" data-action="move-status">
          Move
        </button>
      </div>
    </form>
  );
}
