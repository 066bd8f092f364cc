import type { ServiceDialect } from '../../../service/dialect.ts';

/** The kinds of record that callbacks report. */
export type NotifiedRecord = 'payment' | 'payout' | 'invoice' | 'dedicated_account';

/** Why an attempt is made: first, after a failure, on request, or as a deliberate duplicate. */
export type AttemptReason = 'first' | 'retry' | 'resend' | 'double';

/** One POST of a callback with its result. Times are in milliseconds since the epoch, on the sandbox's clock. */
export type CallbackAttempt = {
  atMs: number;
  /** The HTTP status; `null` for no response. */
  status: number | null;
  /** Why there is no response. */
  error: string | null;
  durationMs: number;
  /** The two headers as sent. */
  signature: string;
  timestamp: string;
  reason: AttemptReason;
};

type PlannedAttempt = { atMs: number; reason: AttemptReason };

/** A stored callback with its past and planned attempts, as plain JSON. */
export type CallbackRecord = {
  id: string;
  event: string;
  record: NotifiedRecord;
  recordId: string;
  reference: string | null;
  url: string;
  /** The body of every attempt. */
  body: string;
  createdAtMs: number;
  isDropped: boolean;
  /** Whether it is sent again after its delivery. */
  isDoubled: boolean;
  planned: readonly PlannedAttempt[];
  attempts: readonly CallbackAttempt[];
};

/** `dropped` on purpose, `failed` after the last retry. */
export type CallbackState = 'pending' | 'delivered' | 'failed' | 'dropped';

/** Whether a status is 2xx. Only these acknowledge a callback. */
export const isSuccess = (status: number): boolean => status >= 200 && status < 300;

const isDelivery = ({ status }: CallbackAttempt): boolean => status !== null && isSuccess(status);

/** Returns whether the attempt is pointless once the callback is delivered. */
const isInTurn = ({ reason }: Pick<PlannedAttempt, 'reason'>): boolean =>
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
 * Returns a copy with the attempt and the plan that follows from it: a retry, a duplicate, or nothing. `nowMs`, when the attempt ended, is
 * before its start if the clock was set back, which must not delay the plan.
 */
export function addAttempt(
  callback: CallbackRecord,
  made: CallbackAttempt,
  nowMs: number,
  { callbackRetries, callbackRetrySeconds }: ServiceDialect,
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

export type NextAttempt = { callback: CallbackRecord; plan: PlannedAttempt };

/**
 * Returns the attempts of one record's callbacks that may be sent next, by priority: resends and duplicates, then the
 * oldest regular attempt. When reordered, all regular attempts may be sent, newest first.
 */
export function nextAttempts(lane: readonly CallbackRecord[], isReordered: boolean): readonly NextAttempt[] {
  const all = lane.flatMap((callback) => callback.planned.map((plan) => ({ callback, plan })));
  const inTurn = all.filter(({ plan }) => isInTurn(plan));
  const outOfTurn = all.filter(({ plan }) => !isInTurn(plan));
  return [...outOfTurn, ...(isReordered ? inTurn.reverse() : inTurn.slice(0, 1))];
}

/** Deliberate delivery problems. All are off at first; a restart keeps them. */
export type DeliverySwitch = {
  /** The probability, from 0 to 1, that a new callback is logged but never sent. */
  drop: number;
  /** The probability, from 0 to 1, that a new callback is sent again directly after it was delivered. */
  double: number;
  /** How long a new callback waits before it is sent, on the sandbox's clock. */
  delaySeconds: number;
  /** Whether due callbacks of one record are sent newest first and do not wait for retries. */
  reorder: boolean;
};

export type DeliverySwitchRecord = DeliverySwitch & { id: 'callback_delivery' };
