import { useSignal } from '@preact/signals';
import type { TargetedSubmitEvent } from 'preact';
import { useId } from 'preact/hooks';
import type { Result } from './model.ts';

type FormProps<T> = {
  name: string;
  field: string;
  label: string;
  placeholder?: string;
  inputMode?: 'text' | 'decimal';
  /** The label of the button. */
  submit: string;
  /** Parses the text; the problem says what to type. */
  read: (text: string) => { value: T } | { problem: string };
  run: (value: T) => Promise<Result>;
};

/** A form of one field for a call. The text stays until the sandbox has accepted it. */
export function Form<T>({ name, field, label, placeholder, inputMode, submit, read, run }: FormProps<T>) {
  const id = useId();
  const isRunning = useSignal(false);

  const send = async (event: TargetedSubmitEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    const form = event.currentTarget;
    const input = form.elements.namedItem(field) as HTMLInputElement;
    const parsed = read(input.value.trim());
    input.setCustomValidity('problem' in parsed ? parsed.problem : '');
    if (!form.reportValidity() || 'problem' in parsed || isRunning.value) return;
    isRunning.value = true;
    const { isDone } = await run(parsed.value);
    isRunning.value = false;
    if (isDone) form.reset();
  };

  return (
    <form class="form" data-form={name} onSubmit={send}>
      <div class="form-field">
        <label for={id}>{label}</label>
        <input
          id={id}
          name={field}
          autocomplete="off"
          inputMode={inputMode}
          placeholder={placeholder}
          required
          onInput={({ currentTarget }) => currentTarget.setCustomValidity('')}
        />
      </div>
      <button type="submit" data-action={name} aria-disabled={isRunning.value}>
        {submit}
      </button>
    </form>
  );
}
