import { type CallbackRecord, isInTurn, type PlannedAttempt } from './callback.ts';

/** A planned attempt and its callback. */
export type NextAttempt = { callback: CallbackRecord; plan: PlannedAttempt };

/**
 * Returns the attempts of one record's callbacks that may be sent next, by priority: resends and duplicates, then the
 * oldest regular attempt. When reordered, all regular attempts may be sent, newest first.
 */
function candidates(lane: readonly CallbackRecord[], isReordered: boolean): readonly NextAttempt[] {
  const all = lane.flatMap((callback) => callback.planned.map((plan) => ({ callback, plan })));
  const inTurn = all.filter(({ plan }) => isInTurn(plan));
  const outOfTurn = all.filter(({ plan }) => !isInTurn(plan));
  return [...outOfTurn, ...(isReordered ? inTurn.reverse() : inTurn.slice(0, 1))];
}

/** Returns the attempt to make now. */
export const nextAttempt = (
  lane: readonly CallbackRecord[],
  isReordered: boolean,
  nowMs: number,
): NextAttempt | undefined => candidates(lane, isReordered).find(({ plan }) => plan.atMs <= nowMs);

/** Returns when the next attempt is due; infinite for none. */
export const nextDueMs = (lane: readonly CallbackRecord[], isReordered: boolean): number =>
  Math.min(...candidates(lane, isReordered).map(({ plan }) => plan.atMs));
