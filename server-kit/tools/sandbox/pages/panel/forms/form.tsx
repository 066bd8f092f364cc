import { useSignal } from '@preact/signals';
import type { TargetedSubmitEvent } from 'preact';
import { useId } from 'preact/hooks';
import type { Result } from '../model/panel-model.ts';
import { type FieldSpec, FormField } from './form-field.tsx';
import { readFields } from './read-fields.ts';

export type FormProps = {
  /** For tests. */
  name: string;
  fields: readonly FieldSpec[];
  /** The label of the button. */
  submit: string;
  /** Receives the values, without empty fields. */
  run: (values: Readonly<Record<string, unknown>>) => Promise<Result>;
  /** Whether the fields keep their values afterwards, instead of being emptied. */
  keepsValues?: boolean;
  kind?: 'primary' | 'plain';
  /** Everything in one line, if there is room. */
  isInline?: boolean;
};

/** A form for a control call. It keeps its values until the sandbox has accepted them. */
export function Form({ name, fields, submit, run, keepsValues, kind = 'primary', isInline }: FormProps) {
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
    if (wrong !== undefined) return focusField(form, wrong);
    isRunning.value = true;
    const { isDone, params } = await run(read.values);
    isRunning.value = false;
    if (!isDone) problems.value = Object.fromEntries(params.map((param) => [param, 'Refused: see below.']));
    else if (!keepsValues) form.reset();
  };

  return (
    <form class={isInline ? 'form inline' : 'form'} data-form={name} onSubmit={send} noValidate>
      {fields.map((field) => (
        <FormField
          key={field.name}
          id={`${id}-${field.name}`}
          field={field}
          problem={problems.value[field.name]}
        />
      ))}
      <button type="submit" class={kind} data-action={name} aria-disabled={isRunning.value}>
        {submit}
      </button>
    </form>
  );
}

function focusField(form: HTMLFormElement, name: string): void {
  const field = form.elements.namedItem(name);
  if (field instanceof HTMLElement) field.focus();
}
