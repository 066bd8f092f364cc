import { useSignal } from '@preact/signals';
import type { TargetedSubmitEvent } from 'preact';
import { useId } from 'preact/hooks';
import type { ControlPayment } from 'transfer-checkout/sandbox';
import { formatMoney, parseAmount } from '../money.ts';
import type { PaymentProps } from './payment-card.tsx';

/** Amounts worth sending, in minor units: against what is missing, or the whole once nothing is. */
function suggestAmounts({ amount, chargedAmount }: ControlPayment) {
  const missing = amount.value - chargedAmount;
  const exact = missing > 0 ? missing : amount.value;
  return {
    exact,
    less: Math.max(1, Math.floor(exact / 2)),
    more: exact + Math.max(1, Math.floor(exact / 10)),
  };
}

/** The buttons that make money arrive. */
export function SendMoney({ model, payment }: PaymentProps) {
  const isSending = useSignal(false);
  const send = async (amount: number): Promise<void> => {
    // A second press of a double click is not a second transfer.
    if (isSending.value) return;
    isSending.value = true;
    await model.transfer(payment, amount);
    isSending.value = false;
  };
  const { exact, less, more } = suggestAmounts(payment);
  const isWaiting = payment.nextStatuses.includes('charged');
  const show = (value: number): string => formatMoney({ value, currency: payment.amount.currency });
  return (
    <div class="send">
      <button
        type="button"
        class={isWaiting ? 'primary' : 'wide'}
        data-action="send-exact"
        onClick={() => send(exact)}
      >
        Send exactly {show(exact)}
      </button>
      <div class="buttons pair">
        <button type="button" data-action="send-less" onClick={() => send(less)}>
          Send less <span class="quiet">{show(less)}</span>
        </button>
        <button type="button" data-action="send-more" onClick={() => send(more)}>
          Send more <span class="quiet">{show(more)}</span>
        </button>
      </div>
      <CustomAmount currency={payment.amount.currency} send={send} />
    </div>
  );
}

type CustomAmountProps = { currency: string; send: (amount: number) => Promise<void> };

function CustomAmount({ currency, send }: CustomAmountProps) {
  const id = useId();
  const problem = useSignal('');
  const submit = (event: TargetedSubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const field = event.currentTarget.elements.namedItem('amount') as HTMLInputElement;
    const parsed = parseAmount(field.value, currency);
    problem.value = 'problem' in parsed ? parsed.problem : '';
    if ('problem' in parsed) field.focus();
    else send(parsed.value);
  };
  return (
    <form class="custom" onSubmit={submit} noValidate>
      <label for={id}>Another amount, in {currency}</label>
      <div class="field">
        <input
          id={id}
          name="amount"
          inputMode="decimal"
          autocomplete="off"
          placeholder="0.00"
          aria-invalid={problem.value !== ''}
          aria-describedby={`${id}-problem`}
          onInput={() => {
            problem.value = '';
          }}
        />
        <button type="submit" data-action="send-custom">
          Send
        </button>
      </div>
      <p id={`${id}-problem`} class="problem" role="alert">
        {problem.value}
      </p>
    </form>
  );
}
