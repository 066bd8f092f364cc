import type { Result } from '../model/panel-model.ts';
import { Form } from './form.tsx';

export type AmountFormProps = {
  /** For tests. */
  name: string;
  label: string;
  currency: string;
  /** The label of the button. */
  submit: string;
  /** Receives the amount in minor units. */
  run: (amount: number) => Promise<Result>;
};

/** A form with one amount, in one line. */
export function AmountForm({ name, label, currency, submit, run }: AmountFormProps) {
  return (
    <Form
      name={name}
      isInline
      kind="plain"
      fields={[
        { name: 'amount', label: `${label}, in ${currency}`, kind: 'money', currency, isRequired: true },
      ]}
      submit={submit}
      run={({ amount }) => run(Number(amount))}
    />
  );
}
