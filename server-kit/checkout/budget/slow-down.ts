import type { PaymentsClient } from '../../client/client.ts';
import { PaymentsError } from '../../client/errors/payments-error.ts';
import type { CallOptions } from '../../client/request/call-options.ts';
import type { Log } from '../telemetry/log.ts';
import type { Budget } from './budget.ts';

/** For a 429 without `Retry-After`: usually the rest of a one-second window. The lower rate does the rest. */
const defaultPauseMs = 250;

/** Shorter than a lease of the reconciler. During a longer pause of the service, one request each 30 seconds probes it. */
const longestPauseMs = 30_000;

export type SlowDownOptions = { budget: Pick<Budget, 'refuse'>; now: () => number; log: Log };

/**
 * Returns the same client, but each attempt that gets 429, 503 or no response in time decreases the rate of the budget that
 * all instances share, and 429 pauses it for as long as `Retry-After` says. A verification that got 429 is not retried by
 * the client: it waits for the budget. Calls that create an account are retried, because a shopper waits for them.
 */
export function slowDownWhenLimited(
  client: PaymentsClient,
  { budget, now, log }: SlowDownOptions,
): PaymentsClient {
  const report = async (error: unknown, sentAt: number): Promise<void> => {
    if (!isLimited(error) && !isOverloaded(error)) return;
    const pauseMs = isLimited(error) ? pauseMsOf(error) : 0;
    const { isDecreased, ratePerSecond } = await budget.refuse({
      sentMsAgo: Math.max(0, now() - sentAt),
      pauseMs,
    });
    if (isDecreased && isLimited(error)) log({ type: 'serviceLimited', pauseMs, ratePerSecond });
  };
  const watch =
    <Input, Result>(send: (input: Input, call: CallOptions) => Promise<Result>, isRetried: boolean) =>
    async (input: Input, call?: CallOptions): Promise<Result> => {
      let sentAt = now();
      const reportAttempt = (error: unknown): Promise<void> =>
        report(error, sentAt).catch((failure) => log({ type: 'backgroundFailed', error: failure }));
      const shouldRetry = (error: PaymentsError): boolean => {
        if (isLimited(error) && !isRetried) return false;
        // Not awaited: the next attempt does not wait for the store.
        reportAttempt(error);
        sentAt = now();
        return call?.shouldRetry?.(error) ?? true;
      };
      try {
        return await send(input, { ...call, shouldRetry });
      } catch (error) {
        await reportAttempt(error);
        throw error;
      }
    };
  const { payments, checkout } = client;
  return {
    ...client,
    payments: {
      ...payments,
      initiate: watch(payments.initiate, true),
      retrieve: watch(payments.retrieve, false),
      verify: watch(payments.verify, false),
    },
    checkout: { ...checkout, create: watch(checkout.create, true) },
  };
}

/** Whether the service has responded 429. */
export const isLimited = (error: unknown): error is PaymentsError =>
  error instanceof PaymentsError && error.code === 'rate_limited';

const isOverloaded = (error: unknown): boolean =>
  error instanceof PaymentsError && (error.status === 503 || error.code === 'timeout');

const pauseMsOf = ({ retryAfterSeconds }: PaymentsError): number =>
  retryAfterSeconds === undefined
    ? defaultPauseMs
    : Math.min(Math.max(retryAfterSeconds * 1000, 1000), longestPauseMs);
