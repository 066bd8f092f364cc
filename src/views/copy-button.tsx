import type { JSX } from 'preact';
import type { Text } from '../model/index.ts';
import type { Copy, Screen } from './screen.ts';

type Props = Pick<Screen, 'copied' | 'setCopied'> & { text: Text; field: Copy['field']; value: string };

/** Copies `value`, and says so only when it is true. Where nothing works, the text is left selected for the shopper. */
export function CopyButton({ text, field, value, copied, setCopied }: Props): JSX.Element {
  const worked = copied?.field === field ? copied.worked : undefined;
  return (
    <button
      type="button"
      class={`copy ${worked}`}
      part="copy"
      onClick={async ({ currentTarget }) => {
        setCopied({ field, worked: await copyText(value, currentTarget.previousElementSibling) });
      }}
    >
      {text(worked === undefined ? 'copy' : worked ? 'copied' : 'pressToCopy')}
      <span class="spoken"> {text(field)}</span>
    </button>
  );
}

async function copyText(value: string, shown: Element | null): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(value);
    return true;
  } catch {
    // Plain http, old browsers, a refused permission.
    return shown !== null && copySelection(value, shown);
  }
}

function copySelection(value: string, shown: Element): boolean {
  const putValue = (event: ClipboardEvent): void => {
    event.clipboardData?.setData('text/plain', value);
    event.preventDefault();
  };
  getSelection()?.selectAllChildren(shown);
  addEventListener('copy', putValue, true);
  try {
    return document.execCommand('copy');
  } catch {
    return false;
  } finally {
    removeEventListener('copy', putValue, true);
  }
}
