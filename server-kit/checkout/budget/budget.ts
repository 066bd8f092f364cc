import type { PaymentsClient } from '../../client/client.ts';
import { PaymentsError } from '../../client/errors/payments-error.ts';
import type { CallOptions } from '../../client/request/call-options.ts';
import type { Store } from '../ports/store.ts';
import type { Log } from '../telemetry/log.ts';
import { type BudgetEvent, nextBudget, type Permits } from './permits.ts';

/** The ceiling of verifications per second for all instances together. The rate follows the service's limit, if it has one. */
export const defaultMaxVerificationsPerSecond = 300;

/** Permits that were taken ahead are kept for this long. */
const aheadMs = 250;

/** Verifications without a permit are debited with the next draw, or when they are the permits of this time. */
const debtSeconds = 0.1;

/** The measured use is about the mean of this time. */
const averagedMs = 10_000;

export type BudgetOptions = { store: Pick<Store, 'updateBudget'>; maxPerSecond: number; now: () => number };

export type Budget = ReturnType<typeof createBudget>;

/** Creates this instance's access to the budget that all instances share. One change of the store draws several permits. */
export function createBudget({ store, maxPerSecond, now }: BudgetOptions) {
  let ratePerSecond: number | undefined;
  let ahead = { permits: 0, untilMs: 0 };
  let debt = 0;
  let used = { perSecond: 0, atMs: now() };

  const update = async (event: BudgetEvent): Promise<Permits> => {
    const permits = await store.updateBudget((state, nowMs) =>
      nextBudget(state, event, { maxPerSecond, nowMs }),
    );
    ratePerSecond = permits.ratePerSecond;
    return permits;
  };
  /** Counts verifications, each less the older it is, and returns how many are started in a second. */
  const use = (count: number): number => {
    const remaining = Math.exp(-Math.abs(now() - used.atMs) / averagedMs);
    used = { perSecond: used.perSecond * remaining + (count * 1000) / averagedMs, atMs: now() };
    return used.perSecond;
  };
  const draw = async (wanted: number): Promise<Pick<Permits, 'granted' | 'retryAfterMs'>> => {
    // What was taken ahead and is too old goes back.
    const event = { wanted, ahead: Math.floor((use(0) * aheadMs) / 1000), spent: debt - ahead.permits };
    [debt, ahead] = [0, { permits: 0, untilMs: 0 }];
    const { granted, retryAfterMs } = await update(event);
    ahead = { permits: Math.max(0, granted - wanted), untilMs: now() + aheadMs };
    return { granted: Math.min(granted, wanted), retryAfterMs };
  };

  return {
    /** Returns how many of these verifications may start now, and after how many milliseconds the others may ask again. */
    async take(wanted: number): Promise<Pick<Permits, 'granted' | 'retryAfterMs'>> {
      const kept = now() < ahead.untilMs ? Math.min(wanted, ahead.permits) : 0;
      ahead.permits -= kept;
      const drawn = kept < wanted ? await draw(wanted - kept) : { granted: 0, retryAfterMs: 0 };
      const granted = kept + drawn.granted;
      use(granted);
      return { ...drawn, granted };
    },
    /** Debits a verification that starts without a permit. */
    spend(): void {
      use(1);
      if (++debt < (ratePerSecond ?? 0) * debtSeconds) return;
      // Not awaited: the store must not delay the verification.
      update({ spent: debt }).catch(() => {});
      debt = 0;
    },
    /** Slows down all instances after a request that the service has refused, or not responded to in time. */
    async refuse(refusal: Required<BudgetEvent>['refusal']): Promise<Permits> {
      ahead.permits = 0;
      return update({ refusal });
    },
    /** Returns the last rate that this instance has seen; `undefined` before the first. */
    ratePerSecond: () => ratePerSecond,
    /** Returns the share of the ceiling that this instance uses, from 0 to 1. */
    load: () => Math.min(use(0) / maxPerSecond, 1),
  };
}

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
export function slowDownWhenLimited(client: PaymentsClient, options: SlowDownOptions): PaymentsClient {
  const { payments, checkout } = client;
  return {
    ...client,
    payments: {
      ...payments,
      initiate: watch(options, payments.initiate, true),
      retrieve: watch(options, payments.retrieve, false),
      verify: watch(options, payments.verify, false),
    },
    checkout: { ...checkout, create: watch(options, checkout.create, true) },
  };
}

/** Reports each failed attempt to the budget, even if a retry succeeds. */
function watch<Input, Result>(
  options: SlowDownOptions,
  send: (input: Input, call: CallOptions) => Promise<Result>,
  isRetriedWhenLimited: boolean,
) {
  return async (input: Input, call?: CallOptions): Promise<Result> => {
    let sentAt = options.now();
    const shouldRetry = (error: PaymentsError): boolean => {
      if (isLimited(error) && !isRetriedWhenLimited) return false;
      // Not awaited: the next attempt does not wait for the store.
      report(options, error, sentAt);
      sentAt = options.now();
      return call?.shouldRetry?.(error) ?? true;
    };
    try {
      return await send(input, { ...call, shouldRetry });
    } catch (error) {
      if (error instanceof PaymentsError) await report(options, error, sentAt);
      throw error;
    }
  };
}

const isLimited = ({ code }: PaymentsError): boolean => code === 'rate_limited';

async function report({ budget, now, log }: SlowDownOptions, error: PaymentsError, sentAt: number) {
  if (!isLimited(error) && error.status !== 503 && error.code !== 'timeout') return;
  const { retryAfterSeconds } = error;
  const askedMs = Math.min(Math.max((retryAfterSeconds ?? 0) * 1000, 1000), longestPauseMs);
  const limitedMs = retryAfterSeconds === undefined ? defaultPauseMs : askedMs;
  const pauseMs = isLimited(error) ? limitedMs : 0;
  try {
    const { isDecreased, ratePerSecond } = await budget.refuse({
      sentMsAgo: Math.max(0, now() - sentAt),
      pauseMs,
    });
    if (isDecreased && isLimited(error)) log({ type: 'serviceLimited', pauseMs, ratePerSecond });
  } catch (failure) {
    log({ type: 'backgroundFailed', error: failure });
  }
}
