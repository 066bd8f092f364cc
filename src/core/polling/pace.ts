import type { CheckoutError, PaymentView } from '../../contract/index.ts';
import { backOffMs, isPassing } from '../machine/back-off.ts';
import { isDecided } from '../machine/outcome.ts';
import type { Environment } from '../page/environment.ts';
import type { Answer } from '../session/session-client.ts';

/** An answer that comes sooner was not held: asking again at once would be a storm. */
const leastHeldMs = 1000;
/** The pace where the server neither holds its answers nor says when to come back. */
const plainPollMs = 3000;
/** The pace once the payment has expired or is decided: what may still come is seldom. */
export const seldomPollMs = 15_000;
const latePollMs = 60_000;
/** For shoppers who save data: never sooner, and three times as long where it is not for the server to say. */
const thriftyMs = 5000;
const thrift = 3;

/** How an answer was asked for. */
export type HowAsked = {
  readonly elapsedMs: number;
  /** This look wanted word at once, and the next one will let the server hold its answer. */
  readonly isNextHeld: boolean;
};

/** When to look next, from how the last looks went, in milliseconds; `undefined` when no further look makes sense. */
export type Pace = {
  readonly afterAnswer: (
    answer: Answer<unknown>,
    outcome: PaymentView['outcome'],
    how: HowAsked,
  ) => number | undefined;
  readonly afterError: (error: CheckoutError) => number | undefined;
};

/**
 * Looks come seldom once the payment is expired or decided: money may be late, or come twice. After `lateWatchMs` in which that has not
 * changed they come more seldom still.
 */
export function createPace({ now, random, savesData }: Environment, lateWatchMs: number): Pace {
  let failures = 0;
  let seldom: { readonly outcome: PaymentView['outcome']; readonly sinceMs: number } | undefined;
  const afterAnswer = (answer: Answer<unknown>, how: HowAsked): number | undefined => {
    const slower = savesData() ? thrift : 1;
    const leastMs = savesData() ? thriftyMs : 0;
    if (seldom === undefined) return Math.max(leastMs, delayAfter(answer, how, slower));
    const leastSeldomMs = now() - seldom.sinceMs < lateWatchMs ? seldomPollMs : latePollMs;
    return Math.max(leastSeldomMs * slower, answer.nextPollMs ?? 0);
  };
  return {
    afterAnswer(answer, outcome, how) {
      failures = 0;
      const isSeldom = outcome === 'expired' || isDecided(outcome);
      if (!isSeldom) seldom = undefined;
      else if (seldom?.outcome !== outcome) seldom = { outcome, sinceMs: now() };
      return afterAnswer(answer, how);
    },
    afterError(error) {
      failures += 1;
      return isPassing(error) ? backOffMs(failures, random, error) : undefined;
    },
  };
}

function delayAfter(
  { value, nextPollMs }: Answer<unknown>,
  { elapsedMs, isNextHeld }: HowAsked,
  slower: number,
): number {
  // Whoever has just come back from the bank app must not be deaf to word that comes a second later.
  if (isNextHeld) return 0;
  if (elapsedMs >= leastHeldMs) return nextPollMs ?? 0;
  return value === undefined ? nextPollMs || plainPollMs * slower : Math.max(nextPollMs ?? 0, leastHeldMs);
}
