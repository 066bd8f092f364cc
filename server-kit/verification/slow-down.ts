import type { PaymentsClient } from '../client/client.ts';
import type { CallOptions } from '../client/request/call-options.ts';
import { PaymentsError } from '../errors/payments-error.ts';
import type { Log } from '../telemetry/log.ts';
import type { Budget } from './budget/budget.ts';

/** For a 429 without `Retry-After`: usually the rest of a one-second window. The lower rate does the rest. */
const defaultPauseMs = 250;

/** Shorter than a lease of the reconciler. During a longer pause of the service, one request each 30 seconds probes it. */
const longestPauseMs = 30_000;

export type SlowDownOptions = { budget: Budget; now: () => number; log: Log };

/**
 * Returns the same client, but each attempt that gets 429, 503 or no response in time decreases the rate of the budget that
 * all instances share, and 429 pauses it for as long as `Retry-After` says. A verification that got 429 is not retried by
 * the client: it waits for the budget. Calls that create an account are retried, because a shopper waits for them.
 */
export function slowDownWhenLimited(client: PaymentsClient, options: SlowDownOptions): PaymentsClient {
  const { initiate, retrieve, verify } = client.payments;
  const { create } = client.checkout;
  return {
    ...client,
    payments: {
      ...client.payments,
      initiate: (body, call) => watchCall(options, call, neverFinal, (watched) => initiate(body, watched)),
      retrieve: (id, call) => watchCall(options, call, isLimited, (watched) => retrieve(id, watched)),
      verify: (reference, call) =>
        watchCall(options, call, isLimited, (watched) => verify(reference, watched)),
    },
    checkout: {
      ...client.checkout,
      create: (body, call) => watchCall(options, call, neverFinal, (watched) => create(body, watched)),
    },
  };
}

const neverFinal = (): boolean => false;

const isLimited = (error: PaymentsError): boolean => error.code === 'rate_limited';

/** Reports each failed attempt to the budget, even if a retry succeeds. An attempt whose error `isFinal` is not retried. */
async function watchCall<Result>(
  options: SlowDownOptions,
  call: CallOptions | undefined,
  isFinal: (error: PaymentsError) => boolean,
  send: (call: CallOptions) => Promise<Result>,
): Promise<Result> {
  let sentAt = options.now();
  const shouldRetry = (error: PaymentsError): boolean => {
    if (isFinal(error)) return false;
    // Not awaited: the next attempt does not wait for the store.
    report(options, error, sentAt);
    sentAt = options.now();
    return call?.shouldRetry?.(error) ?? true;
  };
  try {
    return await send({ ...call, shouldRetry });
  } catch (error) {
    if (error instanceof PaymentsError) await report(options, error, sentAt);
    throw error;
  }
}

async function report(
  { budget, now, log }: SlowDownOptions,
  error: PaymentsError,
  sentAt: number,
): Promise<void> {
  const isOverloaded = error.status === 503 || error.code === 'timeout';
  if (!isLimited(error) && !isOverloaded) return;
  const pauseMs = isLimited(error) ? pauseOf(error) : 0;
  const sentMsAgo = Math.max(0, now() - sentAt);
  try {
    const { isDecreased, ratePerSecond } = await budget.refuse({ sentMsAgo, pauseMs });
    if (isDecreased && isLimited(error)) log({ type: 'serviceLimited', pauseMs, ratePerSecond });
  } catch (failure) {
    log({ type: 'backgroundFailed', error: failure });
  }
}

function pauseOf({ retryAfterSeconds }: PaymentsError): number {
  if (retryAfterSeconds === undefined) return defaultPauseMs;
  return Math.min(Math.max(retryAfterSeconds * 1000, 1000), longestPauseMs);
}
