import { type CallbackRecord, isInTurn, type PlannedAttempt } from './callback.ts';

/** An attempt that is to be made, and of which callback. */
export type NextAttempt = { callback: CallbackRecord; plan: PlannedAttempt };

/**
 * What may be sent next of one record's callbacks, oldest first, the foremost first: by hand and copies before what is in
 * turn. Of that it is the oldest alone, or any, newest first, where they are reordered.
 */
function candidates(lane: readonly CallbackRecord[], isReordered: boolean): readonly NextAttempt[] {
  const all = lane.flatMap((callback) => callback.planned.map((plan) => ({ callback, plan })));
  const inTurn = all.filter(({ plan }) => isInTurn(plan));
  const outOfTurn = all.filter(({ plan }) => !isInTurn(plan));
  return [...outOfTurn, ...(isReordered ? inTurn.reverse() : inTurn.slice(0, 1))];
}

/** What is to be sent now. */
export const nextAttempt = (
  lane: readonly CallbackRecord[],
  isReordered: boolean,
  nowMs: number,
): NextAttempt | undefined => candidates(lane, isReordered).find(({ plan }) => plan.atMs <= nowMs);

/** When there will be something to send; infinite where nothing is planned. */
export const nextDueMs = (lane: readonly CallbackRecord[], isReordered: boolean): number =>
  Math.min(...candidates(lane, isReordered).map(({ plan }) => plan.atMs));
