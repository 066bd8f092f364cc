import type { PaymentsClient } from '../client.ts';
import { PaymentsError } from '../errors.ts';
import type { Store } from '../stores/store.ts';
import type { Log } from './log.ts';

/** Where the service says 429 and not for how long. */
const defaultPauseMs = 5000;

/** A lease of the reconciler is longer. One that is told to stay away for an hour looks twice a minute whether it is over. */
const longestPauseMs = 30_000;

/**
 * The same client, by whose calls all instances learn that the service is asked too much: from an answer of 429 on, the
 * shared budget of looks is closed for as long as `Retry-After` says. Looks that decide on a new account, and calls that
 * make one, need no permit of that budget: a shopper waits for them.
 */
export function slowDownWhenLimited(client: PaymentsClient, store: Store, log: Log): PaymentsClient {
  const pause = async (error: unknown): Promise<never> => {
    if (error instanceof PaymentsError && error.code === 'rate_limited') {
      const { retryAfterSeconds } = error;
      const askedMs = retryAfterSeconds === undefined ? defaultPauseMs : retryAfterSeconds * 1000;
      const pauseMs = Math.min(Math.max(askedMs, 1000), longestPauseMs);
      log({ type: 'serviceLimited', pauseMs });
      await store
        .pausePermits(pauseMs)
        .catch((failure: unknown) => log({ type: 'backgroundFailed', error: failure }));
    }
    throw error;
  };
  const { initiate, retrieve, verify } = client.payments;
  const { create } = client.checkout;
  return {
    ...client,
    payments: {
      ...client.payments,
      initiate: (...input) => initiate(...input).catch(pause),
      retrieve: (...input) => retrieve(...input).catch(pause),
      verify: (...input) => verify(...input).catch(pause),
    },
    checkout: { ...client.checkout, create: (...input) => create(...input).catch(pause) },
  };
}
