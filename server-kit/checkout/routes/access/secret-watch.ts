import type { Wait } from '../../../client/async/wait.ts';
import type { ClientSecrets } from '../../../client/signing/client-secret.ts';
import type { Store } from '../../ports/store.ts';
import { isReference } from '../../shell/reference.ts';
import type { Log } from '../../telemetry/log.ts';

export type SecretWatchOptions = {
  secrets: ClientSecrets;
  store: Store;
  now: () => number;
  wait: Wait;
  log: Log;
};

/** Far longer than a response takes: its time must not show whether a reference is stored. Also the pause between two checks. */
const delayMs = 1000;

/** The pause between two entries. */
const pauseMs = 60_000;

const message =
  'A client secret that has not expired was refused for a stored payment. Probably this instance lacks the key that signed it. ' +
  'Pass the same clientSecretKeys everywhere, and replace a key in two steps: add the new one last everywhere, then move it to the front.';

/**
 * Creates a watch that warns when secrets of stored payments are refused, as they are after a key was replaced in one step. It gets each
 * refused secret with its reference, and returns at once.
 */
export function createSecretWatch({ secrets, store, now, wait, log }: SecretWatchOptions) {
  let refusals = 0;
  let nextCheckAt = 0;
  let nextEntryAt = 0;
  const check = async (reference: string): Promise<void> => {
    await wait(delayMs, undefined, true);
    if ((await store.find(reference)) === undefined) return;
    refusals++;
    if (now() < nextEntryAt) return;
    log({ type: 'secretRefused', reference, refusals, message });
    refusals = 0;
    nextEntryAt = now() + pauseMs;
  };
  return (secret: string, reference: string): void => {
    const at = now();
    if (at < nextCheckAt || !isReference(reference) || !secrets.isUnexpired(secret, at)) return;
    nextCheckAt = at + delayMs;
    check(reference).catch((error: unknown) => log({ type: 'storeFailed', error }));
  };
}
