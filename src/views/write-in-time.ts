import type { CheckoutModel } from '../model/index.ts';

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
