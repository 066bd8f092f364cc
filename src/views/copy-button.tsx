import type { JSX } from 'preact';
import type { CopyField, Screen } from './screen.ts';

/** Copies `value`, and says so only when it is true. Where nothing works, the text is left selected for the shopper. */
export function CopyButton({
  model: { text, emit },
  copied,
  setCopied,
  more,
  field,
  value,
}: Screen & { field: CopyField; value: string }): JSX.Element {
  const worked = copied?.value === value && copied.field === field ? copied.worked : undefined;
  return (
    <button
      type="button"
      part="copy"
      onClick={async ({ currentTarget }) => {
        let worked = true;
        try {
          await navigator.clipboard.writeText(value);
        } catch {
          // Plain http, old browsers, a refused permission.
          worked = !!more?.copySelection(value, currentTarget.previousElementSibling);
        }
        if (worked && !emit('copied', { field })) return;
        setCopied({ field, value, worked, times: (copied?.times ?? 0) + 1 });
      }}
    >
      {text(worked === undefined ? 'copy' : worked ? 'copied' : 'pressToCopy')}
      <span class="spoken"> {text(field)}</span>
    </button>
  );
}
