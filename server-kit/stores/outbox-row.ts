import {
  type ClaimedOutboxEvent,
  findNewEvents,
  noOutcomes,
  type OutboxEvent,
  type OutboxEventRun,
  type OutboxEventState,
  type OutboxOutcome,
  overtakenByPaid,
} from './outbox-event.ts';
import type { PaymentRecord } from './payment-record.ts';
import type { StoreMeasures } from './store.ts';

/**
 * An outbox event and its schedule, for stores that keep objects. The functions here are the rules by which they change a
 * row; the SQL stores state the same rules in SQL. An order's rows are in their order of creation.
 */
export type OutboxRow = {
  event: OutboxEvent;
  /** The end of the lease while the handler runs. */
  dueAt: number;
};

/** Returns the rows to add to an order when a payment of it has these outcomes. */
export function createEvents(
  record: PaymentRecord,
  outcomes: readonly OutboxOutcome[],
  order: readonly OutboxRow[],
  now: number,
): OutboxRow[] {
  const known = order.map(({ event }) => event);
  return findNewEvents(record, outcomes, known).map((event) => ({ event, dueAt: now }));
}

/** Whether the event still has to be delivered. */
export const isOpen = ({ event }: OutboxRow): boolean =>
  event.state === 'waiting' || event.state === 'running';

/** Whether no handler will run for the event again. */
export const isFinished = ({ event }: OutboxRow): boolean =>
  event.state === 'done' || event.state === 'withdrawn';

/** Whether this run of the event still holds it. */
export const isHeldBy = ({ event }: OutboxRow, { token }: OutboxEventRun): boolean =>
  event.state === 'running' && event.token === token;

/** Returns the event whose turn it is, the longest overdue of all orders. */
export function findNext(orders: Iterable<readonly OutboxRow[]>, now: number): OutboxRow | undefined {
  let next: OutboxRow | undefined;
  for (const order of orders) {
    const row = order.find((one) => isRunnable(one, order, now));
    if (row !== undefined && row.dueAt < (next?.dueAt ?? Infinity)) next = row;
  }
  return next;
}

/** Whether it is the event's turn: it is due, no earlier event of its order is open, and no other one runs. */
function isRunnable(row: OutboxRow, order: readonly OutboxRow[], now: number): boolean {
  if (!isOpen(row) || row.dueAt > now) return false;
  const position = order.indexOf(row);
  const isBlockedBy = (other: OutboxRow, index: number): boolean => {
    const { state, outcome } = other.event;
    if (index < position) return isOpen(other) || (state === 'setAside' && outcome === 'paid');
    return index > position && state === 'running' && other.dueAt > now;
  };
  return !order.some(isBlockedBy);
}

/** Starts a run under a lease. */
export function claimEvent(row: OutboxRow, leaseMs: number, now: number): ClaimedOutboxEvent {
  const wasLost = row.event.state === 'running';
  row.event.state = 'running';
  row.event.token++;
  row.dueAt = now + leaseMs;
  return { ...row.event, wasLost };
}

export function finishEvent({ event }: OutboxRow): void {
  event.state = 'done';
  event.failure = null;
}

export function failEvent(
  row: OutboxRow,
  { retryAfterMs, failure }: { retryAfterMs: number | null; failure: string },
  now: number,
): void {
  row.event.state = retryAfterMs === null ? 'setAside' : 'waiting';
  row.event.failure = failure;
  row.dueAt = now + (retryAfterMs ?? 0);
}

/** Makes a dead letter due again. */
export function retryEvent(row: OutboxRow, now: number): void {
  row.event.state = 'waiting';
  row.dueAt = now;
}

/** Withdraws the events of an order that its payment has overtaken, and returns them. */
export function withdrawOvertaken(order: readonly OutboxRow[], now: number): OutboxRow[] {
  if (!order.some(({ event }) => event.outcome === 'paid')) return [];
  const overtaken = order.filter(({ event, dueAt }) => {
    const isIdle = event.state === 'waiting' || event.state === 'setAside';
    const isLapsed = event.state === 'running' && dueAt <= now;
    return overtakenByPaid.includes(event.outcome) && (isIdle || isLapsed);
  });
  for (const { event } of overtaken) event.state = 'withdrawn';
  return overtaken;
}

export type OutboxMeasures = Pick<StoreMeasures, 'pendingOutboxEvents' | 'deadLetters'>;

export function measureOutbox(rows: readonly OutboxRow[]): OutboxMeasures {
  const count = (...states: OutboxEventState[]): number =>
    rows.filter(({ event }) => states.includes(event.state)).length;
  return { pendingOutboxEvents: count('waiting', 'running'), deadLetters: count('setAside') };
}

/** Returns the number of events of each outcome, without those that were withdrawn. */
export function countEvents(rows: readonly OutboxRow[]): Record<OutboxOutcome, number> {
  const counts = noOutcomes();
  for (const { event } of rows) if (event.state !== 'withdrawn') counts[event.outcome]++;
  return counts;
}
