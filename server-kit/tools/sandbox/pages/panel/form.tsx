import { useSignal } from '@preact/signals';
import type { TargetedSubmitEvent } from 'preact';
import { useId } from 'preact/hooks';
import { parseAmount } from '../format/money.ts';
import type { Result } from './model.ts';

/** One field of a form: `money` is read into minor units, and spaces are removed from an account number. */
export type FieldSpec = {
  name: string;
  label: string;
  kind: 'text' | 'number' | 'account' | 'money' | 'switch';
  value?: string | number | boolean;
  placeholder?: string;
  /** Of a `money` field. Default: NGN. */
  currency?: string;
  isRequired?: boolean;
};

type Values = Readonly<Record<string, unknown>>;

export type FormProps = {
  name: string;
  fields: readonly FieldSpec[];
  /** The label of the button. */
  submit: string;
  /** Receives the values, without empty fields. */
  run: (values: Values) => Promise<Result>;
  /** Whether the fields keep their values afterwards, instead of being emptied. */
  keepsValues?: boolean;
};

/** A form for a call. It keeps its values until the sandbox has accepted them. */
export function Form({ name, fields, submit, run, keepsValues }: FormProps) {
  const id = useId();
  const problems = useSignal<Readonly<Record<string, string>>>({});
  const isRunning = useSignal(false);

  const send = async (event: TargetedSubmitEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    if (isRunning.value) return;
    const form = event.currentTarget;
    const read = readFields(fields, new FormData(form));
    problems.value = read.problems;
    const [wrong] = Object.keys(read.problems);
    if (wrong !== undefined) {
      const field = form.elements.namedItem(wrong);
      if (field instanceof HTMLElement) field.focus();
      return;
    }
    isRunning.value = true;
    const { isDone, params } = await run(read.values);
    isRunning.value = false;
    if (!isDone) problems.value = Object.fromEntries(params.map((param) => [param, 'Refused: see below.']));
    else if (!keepsValues) form.reset();
  };

  return (
    <form class="form" data-form={name} onSubmit={send} noValidate>
      {fields.map((field) => (
        <FormField
          key={field.name}
          id={`${id}-${field.name}`}
          field={field}
          problem={problems.value[field.name]}
        />
      ))}
      <button type="submit" data-action={name} aria-disabled={isRunning.value}>
        {submit}
      </button>
    </form>
  );
}

const inputModes = { text: 'text', number: 'decimal', account: 'numeric', money: 'decimal' } as const;

function FormField({ id, field, problem }: { id: string; field: FieldSpec; problem: string | undefined }) {
  const { name, label, kind, value = '', placeholder = '', isRequired } = field;
  const problemId = `${id}-problem`;
  const shared = {
    id,
    name,
    'aria-describedby': problemId,
    'aria-invalid': problem !== undefined,
    'aria-required': isRequired,
  };
  return (
    <div class="form-field" data-kind={kind}>
      <label for={id}>
        {label}
        {isRequired && <span aria-hidden="true"> *</span>}
      </label>
      {kind === 'switch' ? (
        <input type="checkbox" {...shared} defaultChecked={value === true} />
      ) : (
        <input
          {...shared}
          autocomplete="off"
          inputMode={inputModes[kind]}
          placeholder={placeholder}
          defaultValue={String(value)}
        />
      )}
      <p id={problemId} class="problem" aria-live="polite">
        {problem}
      </p>
    </div>
  );
}

type Parsed = { value: unknown } | { problem: string };

/** Reads the values of a form, without empty fields; for each invalid field, what to type. */
export function readFields(fields: readonly FieldSpec[], data: FormData) {
  const values: Record<string, unknown> = {};
  const problems: Record<string, string> = {};
  for (const field of fields) {
    const parsed = readField(field, String(data.get(field.name) ?? '').trim());
    if ('problem' in parsed) problems[field.name] = parsed.problem;
    else if (parsed.value !== undefined) values[field.name] = parsed.value;
  }
  return { values, problems };
}

function readField({ kind, isRequired, currency = 'NGN' }: FieldSpec, text: string): Parsed {
  if (kind === 'switch') return { value: text === 'on' };
  if (text === '') return isRequired ? { problem: 'Fill this in.' } : { value: undefined };
  switch (kind) {
    case 'money':
      return parseAmount(text, currency);
    case 'number':
      return /^\d+(\.\d+)?$/.test(text)
        ? { value: Number(text) }
        : { problem: 'Type a number such as 5 or 0.5.' };
    case 'account':
      return { value: text.replaceAll(/\s/g, '') };
    case 'text':
      return { value: text };
  }
}
