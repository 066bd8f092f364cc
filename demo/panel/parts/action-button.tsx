import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';

export type ActionButtonProps = {
  /** For tests and style sheets. */
  action: string;
  run: () => Promise<unknown>;
  children: ComponentChildren;
  kind?: 'primary' | 'plain' | 'danger';
  /** Where the text alone does not say what it is done to. */
  label?: string | undefined;
};

/** A button that does something to the sandbox. While it does, a second press is no second action. */
export function ActionButton({ action, run, children, kind = 'plain', label }: ActionButtonProps) {
  const isRunning = useSignal(false);
  const press = async (): Promise<void> => {
    if (isRunning.value) return;
    isRunning.value = true;
    await run();
    isRunning.value = false;
  };
  // Not `disabled`: that would take the focus away.
  return (
    <button
      type="button"
      class={kind}
      data-action={action}
      aria-label={label}
      aria-disabled={isRunning.value}
      onClick={press}
    >
      {children}
    </button>
  );
}
