import type { CheckoutError, Outcome } from '../contract/index.ts';
import { backOffMs } from './back-off.ts';
import type { Environment } from './environment.ts';
import { isPassing } from './machine.ts';
import type { Answer } from './session-client.ts';

/** An answer that comes sooner was not held: asking again at once would be a storm. */
const heldMs = 1000;
/** The pace where the server neither holds its answers nor says when to come back. */
const plainPollMs = 3000;
const expiredPollMs = 15_000;

/** How long to stay away before the next look; one that is not patient must not be cut short. */
export type Delay = { readonly delayMs: number; readonly isPatient: boolean };

/** When to look next, from how the last looks went; `undefined` when no further look makes sense. */
export type Pace = {
  readonly afterAnswer: (answer: Answer<unknown>, outcome: Outcome, elapsedMs: number) => Delay | undefined;
  readonly afterError: (error: CheckoutError) => Delay | undefined;
};

/** Looks go on for `lateWatchMs` after the payment was first seen expired: money may be late. */
export function createPace({ now, random }: Environment, lateWatchMs: number): Pace {
  let failures = 0;
  let expiredSince: number | undefined;
  return {
    afterAnswer(answer, outcome, elapsedMs) {
      failures = 0;
      expiredSince = outcome === 'expired' ? (expiredSince ?? now()) : undefined;
      if (expiredSince === undefined) return { delayMs: delayAfter(answer, elapsedMs), isPatient: true };
      if (now() - expiredSince >= lateWatchMs) return undefined;
      return { delayMs: Math.max(expiredPollMs, answer.nextPollMs ?? 0), isPatient: true };
    },
    afterError(error) {
      failures += 1;
      if (!isPassing(error)) return undefined;
      return {
        delayMs: backOffMs(failures, random, error),
        isPatient: error.retryAfterSeconds === undefined,
      };
    },
  };
}

function delayAfter({ value, nextPollMs }: Answer<unknown>, elapsedMs: number): number {
  if (elapsedMs >= heldMs) return nextPollMs ?? 0;
  return value === undefined ? nextPollMs || plainPollMs : Math.max(nextPollMs ?? 0, heldMs);
}
