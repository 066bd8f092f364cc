import type { Signal } from '@preact/signals';
import type { JSX } from 'preact';
import type { Text } from '../model/index.ts';

/** The last attempt to copy something. */
export type Copy = {
  readonly field: 'accountNumber' | 'bankName' | 'accountName' | 'amount' | 'missing';
  readonly worked: boolean;
};

type Props = { text: Text; field: Copy['field']; value: string; last: Signal<Copy | undefined> };

/** Copies `value`, and says so only when it is true. Where nothing works, the text is left selected for the shopper. */
export function CopyButton({ text, field, value, last }: Props): JSX.Element {
  const mine = last.value?.field === field ? last.value : undefined;
  const label = text(mine === undefined ? 'copy' : mine.worked ? 'copied' : 'pressToCopy');
  return (
    <button
      type="button"
      class={mine?.worked ? 'copy done' : 'copy'}
      part="copy"
      onClick={async ({ currentTarget }) => {
        const worked = await copyText(value, currentTarget.previousElementSibling);
        last.value = { field, worked };
      }}
    >
      {label}
      <span class="spoken"> {text(field)}</span>
    </button>
  );
}

async function copyText(value: string, shown: Element | null): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(value);
    return true;
  } catch {
    return shown !== null && copySelection(value, shown);
  }
}

/** For pages without a clipboard (plain http, old browsers, a refused permission). */
function copySelection(value: string, shown: Element): boolean {
  const page = shown.ownerDocument;
  const setPlain = (event: ClipboardEvent): void => {
    event.clipboardData?.setData('text/plain', value);
    event.preventDefault();
  };
  page.getSelection()?.selectAllChildren(shown);
  page.addEventListener('copy', setPlain, { capture: true, once: true });
  try {
    return page.execCommand('copy');
  } catch {
    return false;
  } finally {
    page.removeEventListener('copy', setPlain, true);
  }
}
