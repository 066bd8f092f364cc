import type { CheckoutModel } from '../../model/index.ts';

/** How long a clipboard may take. Some browsers never answer, where a page may not use it. */
const patienceMs = 1500;

/** Writes to the clipboard. Rejects when that is refused, or takes too long. */
export async function writeInTime(value: string, { setTimer }: CheckoutModel['clock']): Promise<void> {
  let cancel = (): void => {};
  const late = new Promise<void>((_, refuse) => {
    cancel = setTimer(refuse, patienceMs);
  });
  try {
    await Promise.race([navigator.clipboard.writeText(value), late]);
  } finally {
    cancel();
  }
}

/**
 * Copies `value` in place of what is selected, for pages without a clipboard. False when the browser will not; what is
 * selected stays so, for the shopper to copy by hand.
 */
export function copySelection(value: string): boolean {
  const putValue = (event: ClipboardEvent): void => {
    event.clipboardData?.setData('text/plain', value);
    event.preventDefault();
  };
  addEventListener('copy', putValue, true);
  try {
    return document.execCommand('copy');
  } catch {
    return false;
  } finally {
    removeEventListener('copy', putValue, true);
  }
}
