import type { AmountChoice } from '../../format/amounts.ts';
import { formatMoney } from '../../format/money.ts';
import type { Result } from '../model/panel-model.ts';
import { Actions } from '../parts/actions.tsx';
import { Part } from '../parts/section.tsx';
import { Form } from './form.tsx';

export type SendAmountProps = {
  title: string;
  verb: 'send' | 'pay';
  /** The record that gets the money, for screen readers. */
  to: string;
  currency: string;
  choices: readonly AmountChoice[];
  /** Receives the amount in minor units. */
  run: (amount: number) => Promise<Result>;
};

/** A button for each choice, and a form for another amount. */
export function SendAmount({ title, verb, to, currency, choices, run }: SendAmountProps) {
  const label = choices.length > 0 ? 'Another amount' : 'Amount';
  return (
    <Part title={title}>
      <Actions
        of={to}
        actions={choices.map(({ name, label: text, value }) => ({
          action: `${verb}-${name}`,
          text,
          detail: formatMoney({ value, currency }),
          run: () => run(value),
        }))}
      />
      <Form
        name={`${verb}-custom`}
        isInline
        kind="plain"
        fields={[
          { name: 'amount', label: `${label}, in ${currency}`, kind: 'money', currency, isRequired: true },
        ]}
        submit={verb === 'send' ? 'Send' : 'Pay'}
        run={({ amount }) => run(Number(amount))}
      />
    </Part>
  );
}
