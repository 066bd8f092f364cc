import type { PaymentsClient } from '../../client/client.ts';
import { PaymentsError } from '../../client/errors/payments-error.ts';
import type { CallOptions } from '../../client/options/call-options.ts';
import type { Log } from '../telemetry/log.ts';
import type { Budget } from './budget.ts';
import { maxPauseMs } from './permits.ts';

/** For a 429 without `Retry-After`: usually the rest of a one-second window. The lower rate does the rest. */
const defaultPauseMs = 250;

export type SlowDownOptions = { budget: Pick<Budget, 'refuse'>; now: () => number; log: Log };

/**
 * Returns the same client, but each attempt that gets 429, 503 or no response in time decreases the rate of the budget that
 * all instances share, and 429 pauses it for as long as `Retry-After` says.
 */
export function slowDownWhenLimited(
  client: PaymentsClient,
  { budget, now, log }: SlowDownOptions,
): PaymentsClient {
  const report = async (error: unknown, sentAt: number): Promise<void> => {
    const pauseMs = pauseMsAfter(error);
    if (pauseMs === undefined) return;
    try {
      const refusal = { sentMsAgo: Math.max(0, now() - sentAt), pauseMs };
      const { isDecreased, ratePerSecond } = await budget.refuse(refusal);
      if (isDecreased && pauseMs > 0) log({ type: 'serviceLimited', pauseMs, ratePerSecond });
    } catch (failure) {
      log({ type: 'backgroundFailed', error: failure });
    }
  };
  const watch =
    <Input, Result>(send: (input: Input, call: CallOptions) => Promise<Result>) =>
    async (input: Input, call?: CallOptions): Promise<Result> => {
      let sentAt = now();
      const shouldRetry = (error: PaymentsError): boolean => {
        if (call?.shouldRetry?.(error) === false) return false;
        // Not awaited: the next attempt does not wait for the store.
        report(error, sentAt);
        sentAt = now();
        return true;
      };
      try {
        return await send(input, { ...call, shouldRetry });
      } catch (error) {
        await report(error, sentAt);
        throw error;
      }
    };
  const { payments, checkout } = client;
  const { initiate, retrieve, verify } = payments;
  return {
    ...client,
    payments: { ...payments, initiate: watch(initiate), retrieve: watch(retrieve), verify: watch(verify) },
    checkout: { ...checkout, create: watch(checkout.create) },
  };
}

/** Whether the service has responded 429. */
export const isLimited = (error: unknown): error is PaymentsError =>
  error instanceof PaymentsError && error.code === 'rate_limited';

/** Returns the pause for an overloaded service, in milliseconds, which may be 0; `undefined` for any other failure. */
function pauseMsAfter(error: unknown): number | undefined {
  if (!(error instanceof PaymentsError)) return undefined;
  const { status, code, retryAfterSeconds } = error;
  if (!isLimited(error)) return status === 503 || code === 'timeout' ? 0 : undefined;
  if (retryAfterSeconds === undefined) return defaultPauseMs;
  return Math.min(Math.max(Math.ceil(retryAfterSeconds * 1000), 1000), maxPauseMs);
}
