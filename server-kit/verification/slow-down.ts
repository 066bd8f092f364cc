import type { PaymentsClient } from '../client/client.ts';
import type { CallOptions } from '../client/request/call-options.ts';
import { PaymentsError } from '../errors/payments-error.ts';
import type { Log } from '../telemetry/log.ts';
import type { Budget } from './budget/budget.ts';

/**
 * Where the service says 429 and not for how long: what is left of a second in which it had enough, as a rule. The lower
 * rate does the rest.
 */
const defaultPauseMs = 250;

/** A lease of the reconciler is longer. One that is told to stay away for an hour looks twice a minute whether it is over. */
const longestPauseMs = 30_000;

export type SlowDownOptions = { budget: Budget; now: () => number; log: Log };

/**
 * The same client, by whose calls all instances learn that the service is asked too much: each attempt that gets 429 or
 * 503, or no response in time, decreases the rate of the shared budget, and 429 pauses it for as long as `Retry-After` says.
 * A verification that got 429 is not sent again: it waits for the budget. Calls that make an account are, and need none: a
 * shopper waits for them.
 */
export function slowDownWhenLimited(client: PaymentsClient, options: SlowDownOptions): PaymentsClient {
  const { initiate, retrieve, verify } = client.payments;
  const { create } = client.checkout;
  const once = isLimited;
  const always = () => false;
  return {
    ...client,
    payments: {
      ...client.payments,
      initiate: (body, call) => watchCall(options, call, always, (watched) => initiate(body, watched)),
      retrieve: (id, call) => watchCall(options, call, once, (watched) => retrieve(id, watched)),
      verify: (reference, call) => watchCall(options, call, once, (watched) => verify(reference, watched)),
    },
    checkout: {
      ...client.checkout,
      create: (body, call) => watchCall(options, call, always, (watched) => create(body, watched)),
    },
  };
}

const isLimited = (error: PaymentsError): boolean => error.code === 'rate_limited';

/** Reports each attempt that fails, also where the call is sent again and ends well. */
async function watchCall<Result>(
  options: SlowDownOptions,
  call: CallOptions | undefined,
  isFinal: (error: PaymentsError) => boolean,
  send: (call: CallOptions) => Promise<Result>,
): Promise<Result> {
  let sentAt = options.now();
  const shouldRetry = (error: PaymentsError): boolean => {
    if (isFinal(error)) return false;
    // Nobody waits for the store before the next attempt.
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
