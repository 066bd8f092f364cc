import { useSignal } from '@preact/signals';
import type { TargetedSubmitEvent } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import type { ControlPayment } from 'transfer-checkout/sandbox';
import { missingAmount } from '../../../server-kit/tools/sandbox/pages/format/amounts.ts';
import { formatMoney, parseAmount } from '../../../server-kit/tools/sandbox/pages/format/money.ts';
import { formatAccountNumber } from '../../../server-kit/tools/sandbox/pages/format/text.ts';
import type { Bank } from '../model/bank-model.ts';

type AmountStepProps = { bank: Bank; account: ControlPayment };

/** Shows whose account it is, and asks for the amount. */
export function AmountStep({ bank, account }: AmountStepProps) {
  const id = useId();
  const { currency } = account.amount;
  const value = missingAmount(account) || account.amount.value;
  // Without its sign: `12,500.00`.
  const typed = useSignal(formatMoney({ value, currency }).replace(/^[^\d]+/, ''));
  const typeProblem = useSignal<string | undefined>(undefined);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus({ preventScroll: true }), []);

  const send = (event: TargetedSubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const amount = parseAmount(typed.value, currency);
    if ('problem' in amount) typeProblem.value = amount.problem;
    else bank.send(account, amount.value);
  };
  const problem = typeProblem.value ?? bank.problem.value;
  return (
    <form class="bank-step" data-step="amount" noValidate onSubmit={send}>
      <h3 ref={heading} tabIndex={-1}>
        Check the name
      </h3>
      <div class="bank-payee">
        <p data-part="payee">{account.accountName}</p>
        <p class="bank-hint">
          {formatAccountNumber(account.accountNumber)} · {account.bankName}
        </p>
        <button
          type="button"
          class="bank-link"
          data-action="change-account"
          aria-label="Change the account"
          onClick={bank.startAgain}
        >
          Change
        </button>
      </div>
      <label for={id}>Amount in {currency}</label>
      <input
        id={id}
        name="amount"
        inputMode="decimal"
        autocomplete="off"
        value={typed.value}
        aria-invalid={problem !== undefined}
        aria-describedby={`${id}-problem`}
        onInput={({ currentTarget }) => {
          typed.value = currentTarget.value;
          typeProblem.value = undefined;
        }}
      />
      <p id={`${id}-problem`} class="bank-problem" aria-live="polite">
        {problem}
      </p>
      <button type="submit" class="bank-primary" data-action="send">
        Send
      </button>
    </form>
  );
}
