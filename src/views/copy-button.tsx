import type { JSX } from 'preact';
import type { Messages } from '../model/index.ts';
import type { CopyField, Screen } from './screen.ts';

/** What is copied, and of which field. */
export type Copied = Screen & { readonly field: CopyField; readonly value: string };

/** Whether the last attempt to copy was one at this, and worked; undefined where it was not. */
export function hasCopied({ copied, field, value }: Copied): boolean | undefined {
  return copied?.value === value && copied.field === field ? copied.worked : undefined;
}

/** Copies `value`. Where nothing works, what is shown is left selected for the shopper. */
export async function copy(
  { model: { emit, clock }, copied, setCopied, more, field, value }: Copied,
  shown: Element | null | undefined,
): Promise<void> {
  let worked = true;
  try {
    await (more ? more.writeInTime(value, clock) : navigator.clipboard.writeText(value));
  } catch {
    // Plain http, old browsers, a refused permission.
    if (shown) getSelection()?.selectAllChildren(shown);
    worked = !!more?.copySelection(value);
  }
  if (worked && !emit('copied', { field })) return;
  setCopied({ field, value, worked, times: (copied?.times ?? 0) + 1 });
}

/** What stands on what copies, by whether it has worked. */
export const labelOfCopy = (worked: boolean | undefined): keyof Messages =>
  worked === undefined ? 'copy' : worked ? 'copied' : 'pressToCopy';

/** Copies what stands before it, and says so only when it is true. */
export function CopyButton(props: Copied): JSX.Element {
  const { more, field } = props;
  const { text } = props.speech;
  const worked = hasCopied(props);
  const label = text(labelOfCopy(worked));
  return (
    <button
      type="button"
      part="copy"
      data-copied={worked}
      aria-label={more?.nameOfCopy(field, label, text)}
      onClick={({ currentTarget }) => copy(props, currentTarget.previousElementSibling)}
    >
      {label}
    </button>
  );
}
