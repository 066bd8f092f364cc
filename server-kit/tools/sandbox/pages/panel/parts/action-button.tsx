import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';

export type ActionButtonProps = {
  /** For tests and style sheets. */
  action: string;
  run: () => Promise<unknown>;
  children: ComponentChildren;
  kind?: 'primary' | 'plain';
  /** Needed if the text does not name the record. */
  label?: string | undefined;
};

/** A button that runs an action. Pressing it again while the action runs has no effect. */
export function ActionButton({ action, run, children, kind = 'plain', label }: ActionButtonProps) {
  const isRunning = useSignal(false);
  const press = async (): Promise<void> => {
    if (isRunning.value) return;
    isRunning.value = true;
    await run();
    isRunning.value = false;
  };
  // Not `disabled`, which would lose the focus.
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
