import type { Dialect } from '../../api/dialect.ts';
import { isSuccess } from '../../http/fetch-result.ts';
import type { NotifiedRecord } from './notified-records.ts';

/** Why an attempt was made: in turn, after one that failed, by hand, or as the copy of one that got through. */
export type AttemptReason = 'first' | 'retry' | 'resend' | 'double';

/** One POST of a callback, and what came of it. Moments in milliseconds since the epoch, on the sandbox's clock. */
export type CallbackAttempt = {
  atMs: number;
  /** The HTTP status, or `null` where no answer came. */
  status: number | null;
  /** Why no answer came. */
  error: string | null;
  durationMs: number;
  /** What was sent in the two headers. */
  signature: string;
  timestamp: string;
  reason: AttemptReason;
};

export type PlannedAttempt = { atMs: number; reason: AttemptReason };

/** A callback, with all that came of it and all that is still to come: plain JSON. */
export type CallbackRecord = {
  id: string;
  event: string;
  record: NotifiedRecord;
  recordId: string;
  reference: string | null;
  url: string;
  /** The text that each attempt sends. */
  body: string;
  createdAtMs: number;
  isDropped: boolean;
  /** Whether it is sent a second time once it got through. */
  isDoubled: boolean;
  planned: readonly PlannedAttempt[];
  attempts: readonly CallbackAttempt[];
};

/** `dropped` on purpose, `failed` after the last retry. */
export type CallbackState = 'pending' | 'delivered' | 'failed' | 'dropped';

const isDelivery = ({ status }: CallbackAttempt): boolean => status !== null && isSuccess(status);

/** Whether it is one of those that stop once the callback is delivered. */
export const isInTurn = ({ reason }: Pick<PlannedAttempt, 'reason'>): boolean =>
  reason === 'first' || reason === 'retry';

export function callbackState({ attempts, planned, isDropped }: CallbackRecord): CallbackState {
  if (attempts.some(isDelivery)) return 'delivered';
  if (planned.length > 0) return 'pending';
  return isDropped && attempts.length === 0 ? 'dropped' : 'failed';
}

export const addPlan = (callback: CallbackRecord, plan: PlannedAttempt): CallbackRecord => ({
  ...callback,
  planned: [...callback.planned, plan],
});

/**
 * A copy with the attempt, and with what follows from it: a retry, a second copy, or nothing.
 *
 * @param nowMs when it ended: earlier than it began where the clock was set back meanwhile, which puts nothing off
 */
export function addAttempt(
  callback: CallbackRecord,
  made: CallbackAttempt,
  nowMs: number,
  { callbackRetries, callbackRetrySeconds }: Dialect,
): CallbackRecord {
  const fromMs = Math.min(made.atMs, nowMs);
  const done = callback.planned.findIndex(({ reason }) => reason === made.reason);
  const planned = callback.planned.filter((_plan, index) => index !== done);
  const next = { ...callback, planned, attempts: [...callback.attempts, made] };
  if (isDelivery(made)) {
    const rest = { ...next, planned: planned.filter((plan) => !isInTurn(plan)), isDoubled: false };
    return callback.isDoubled ? addPlan(rest, { atMs: fromMs, reason: 'double' }) : rest;
  }
  const isLast = next.attempts.filter(isInTurn).length > callbackRetries;
  if (!isInTurn(made) || isLast) return next;
  return addPlan(next, { atMs: fromMs + callbackRetrySeconds * 1000, reason: 'retry' });
}
