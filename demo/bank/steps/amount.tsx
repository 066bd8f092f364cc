import { useSignal } from '@preact/signals';
import type { ComponentChildren, TargetedSubmitEvent } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import type { ControlPayment } from 'transfer-checkout/sandbox';
import {
  type AmountChoice,
  amountChoices,
  missingAmount,
} from '../../../server-kit/tools/sandbox/pages/format/amounts.ts';
import {
  formatMoney,
  type ParsedAmount,
  parseAmount,
} from '../../../server-kit/tools/sandbox/pages/format/money.ts';
import { formatAccountNumber } from '../../../server-kit/tools/sandbox/pages/format/text.ts';
import type { Bank } from '../model/bank-model.ts';

/** Shows whose account it is, and asks for the amount. */
export function AmountStep({ bank, account }: { bank: Bank; account: ControlPayment }) {
  const { currency } = account.amount;
  const choices = amountChoices(account.amount.value, missingAmount(account));
  const chosen = useSignal<AmountChoice['name'] | 'typed'>(choices[0]?.name ?? 'typed');
  const typed = useSignal('');
  const typeProblem = useSignal<string | undefined>(undefined);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus({ preventScroll: true }), []);

  const readAmount = (): ParsedAmount => {
    const choice = choices.find(({ name }) => name === chosen.value);
    return choice ?? parseAmount(typed.value, currency);
  };
  const send = (event: TargetedSubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const amount = readAmount();
    if ('problem' in amount) typeProblem.value = amount.problem;
    else bank.send(account, amount.value);
  };

  const choice = choices.find(({ name }) => name === chosen.value);
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
      <fieldset class="bank-amounts">
        <legend class="for-readers">Amount</legend>
        {choices.map(({ name, label, value }) => (
          <AmountRadio
            key={name}
            name={name}
            isChosen={chosen.value === name}
            choose={() => {
              chosen.value = name;
            }}
          >
            <span>{label}</span> <span class="bank-figure">{formatMoney({ value, currency })}</span>
          </AmountRadio>
        ))}
        <AmountRadio
          name="typed"
          isChosen={chosen.value === 'typed'}
          choose={() => {
            chosen.value = 'typed';
          }}
        >
          <span>Another amount</span>
        </AmountRadio>
        {chosen.value === 'typed' && (
          <TypedAmount
            currency={currency}
            problem={typeProblem.value}
            enter={(text) => {
              typed.value = text;
              typeProblem.value = undefined;
            }}
          />
        )}
      </fieldset>
      {bank.problem.value && <p class="bank-problem">{bank.problem.value}</p>}
      <button type="submit" class="bank-primary" data-action="send">
        Send {choice && formatMoney({ value: choice.value, currency })}
      </button>
    </form>
  );
}

type AmountRadioProps = {
  name: string;
  isChosen: boolean;
  choose: () => void;
  children: ComponentChildren;
};

function AmountRadio({ name, isChosen, choose, children }: AmountRadioProps) {
  return (
    <label class="bank-radio">
      <input type="radio" name="choice" value={name} checked={isChosen} onChange={choose} />
      {children}
    </label>
  );
}

type TypedAmountProps = { currency: string; problem: string | undefined; enter: (text: string) => void };

function TypedAmount({ currency, problem, enter }: TypedAmountProps) {
  const id = useId();
  return (
    <div class="bank-typed">
      <label for={id}>Amount in {currency}</label>
      <input
        id={id}
        name="amount"
        inputMode="decimal"
        autocomplete="off"
        placeholder="0.00"
        aria-invalid={problem !== undefined}
        aria-describedby={`${id}-problem`}
        onInput={({ currentTarget }) => enter(currentTarget.value)}
      />
      <p id={`${id}-problem`} class="bank-problem" aria-live="polite">
        {problem}
      </p>
    </div>
  );
}
