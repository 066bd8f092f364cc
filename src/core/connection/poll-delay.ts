import type { CheckoutError, PaymentView } from '../../contract/index.ts';
import { backOffMs, canRetry } from '../machine/back-off.ts';
import { isDecided } from '../machine/outcome.ts';
import type { Environment } from './environment.ts';
import type { CheckoutResponse } from './read-response.ts';

/** A faster response was not held: polling again at once would overload the server. */
const minHeldMs = 1000;
/** The delay where the server neither holds responses nor sets a delay. */
const plainDelayMs = 3000;
/** The delay once the payment has expired or is decided, where the server does not hold responses: changes are rare. */
const rareDelayMs = 15_000;
const lateDelayMs = 60_000;
/** With data saving: the minimum delay, and the factor for delays that the server does not set. */
const savingMinMs = 5000;
const savingFactor = 3;

export type ResponseTiming = {
  readonly elapsedMs: number;
  /** This response was not held, and the next one will be. */
  readonly isNextHeld: boolean;
};

/** The delay before the next poll in milliseconds; `undefined` when polling again cannot help. */
export type PollDelay = {
  readonly afterResponse: (
    response: CheckoutResponse<unknown>,
    outcome: PaymentView['outcome'],
    timing: ResponseTiming,
  ) => number;
  readonly afterError: (error: CheckoutError) => number | undefined;
};

/**
 * Creates the delays of one poller. An expired or decided payment is polled without a pause while the server holds responses, so that a
 * callback about late money, a reversal or a second transfer shows at once; after `lateWatchMs` without a change, polls are rare.
 */
export function createPollDelay({ now, random, savesData }: Environment, lateWatchMs: number): PollDelay {
  let failures = 0;
  let rare: { readonly outcome: PaymentView['outcome']; readonly sinceMs: number } | undefined;
  return {
    afterResponse(response, outcome, timing) {
      failures = 0;
      const isRare = outcome === 'expired' || isDecided(outcome);
      if (!isRare) rare = undefined;
      else if (rare?.outcome !== outcome) rare = { outcome, sinceMs: now() };
      const factor = savesData() ? savingFactor : 1;
      const minMs = savesData() ? savingMinMs : 0;
      if (rare === undefined) return Math.max(minMs, liveDelayMs(response, timing, factor));
      const isLate = now() - rare.sinceMs >= lateWatchMs;
      if (!isLate && !savesData()) return watchedDelayMs(response, timing);
      return Math.max((isLate ? lateDelayMs : rareDelayMs) * factor, response.nextPollMs ?? 0);
    },
    afterError(error) {
      failures += 1;
      return canRetry(error) ? backOffMs(failures, random, error) : undefined;
    },
  };
}

/** No pause while the server holds responses: a fast one was not held, unless it has news. */
function watchedDelayMs(
  { value, nextPollMs = rareDelayMs }: CheckoutResponse<unknown>,
  { elapsedMs, isNextHeld }: ResponseTiming,
): number {
  if (isNextHeld) return 0;
  if (elapsedMs >= minHeldMs) return nextPollMs;
  return Math.max(value === undefined ? rareDelayMs : minHeldMs, nextPollMs);
}

function liveDelayMs(
  { value, nextPollMs }: CheckoutResponse<unknown>,
  { elapsedMs, isNextHeld }: ResponseTiming,
  factor: number,
): number {
  // A shopper who returns from the bank app must not miss a change one second later.
  if (isNextHeld) return 0;
  if (elapsedMs >= minHeldMs) return nextPollMs ?? 0;
  return value === undefined ? nextPollMs || plainDelayMs * factor : Math.max(nextPollMs ?? 0, minHeldMs);
}
