import { useSignal } from '@preact/signals';
import type { TargetedSubmitEvent } from 'preact';
import { useId } from 'preact/hooks';
import { parseAmount } from '../format/money.ts';
import type { Result } from './model.ts';

/** One field of a form. `money` is read into minor units. */
type FieldSpec = {
  name: string;
  label: string;
  kind: 'text' | 'money';
  placeholder?: string;
  /** Of a `money` field. Default: NGN. */
  currency?: string;
  isRequired?: boolean;
};

type FormProps = {
  name: string;
  fields: readonly FieldSpec[];
  /** The label of the button. */
  submit: string;
  /** Receives the values, without empty fields. */
  run: (values: Readonly<Record<string, unknown>>) => Promise<Result>;
};

/** A form for a call. The browser says what to correct; values stay until the sandbox has accepted them. */
export function Form({ name, fields, submit, run }: FormProps) {
  const id = useId();
  const isRunning = useSignal(false);

  const send = async (event: TargetedSubmitEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    const form = event.currentTarget;
    if (isRunning.value || !checkAmounts(fields, form)) return;
    const data = new FormData(form);
    const values = fields.map((field) => [
      field.name,
      readField(field, `${data.get(field.name) ?? ''}`.trim()),
    ]);
    isRunning.value = true;
    const { isDone } = await run(Object.fromEntries(values.filter(([, value]) => value !== undefined)));
    isRunning.value = false;
    if (isDone) form.reset();
  };

  return (
    <form class="form" data-form={name} onSubmit={send}>
      {fields.map((field) => (
        <div class="form-field" key={field.name}>
          <label for={`${id}-${field.name}`}>
            {field.label}
            {field.isRequired && <span aria-hidden="true"> *</span>}
          </label>
          <Input id={`${id}-${field.name}`} field={field} />
        </div>
      ))}
      <button type="submit" data-action={name} aria-disabled={isRunning.value}>
        {submit}
      </button>
    </form>
  );
}

function Input({ id, field }: { id: string; field: FieldSpec }) {
  const { name, kind, placeholder = '', isRequired = false } = field;
  return (
    <input
      id={id}
      name={name}
      autocomplete="off"
      inputMode={kind === 'text' ? 'text' : 'decimal'}
      placeholder={placeholder}
      required={isRequired}
      onInput={({ currentTarget }) => currentTarget.setCustomValidity('')}
    />
  );
}

/** Shows at each invalid amount what to type. */
function checkAmounts(fields: readonly FieldSpec[], form: HTMLFormElement): boolean {
  for (const { name, kind, currency = 'NGN' } of fields) {
    const input = form.elements.namedItem(name);
    if (kind !== 'money' || !(input instanceof HTMLInputElement)) continue;
    const parsed = parseAmount(input.value, currency);
    input.setCustomValidity('problem' in parsed ? parsed.problem : '');
  }
  return form.reportValidity();
}

function readField({ kind, currency = 'NGN' }: FieldSpec, text: string): unknown {
  if (text === '') return undefined;
  const parsed = kind === 'money' ? parseAmount(text, currency) : { value: text };
  return 'value' in parsed ? parsed.value : undefined;
}
