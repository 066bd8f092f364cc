/** The outcomes of which a merchant is notified. */
export const outboxOutcomes = [
  'paid',
  'failed',
  'expired',
  'reversed',
  'amountMismatch',
  'unexpectedMoney',
] as const;
export type OutboxOutcome = (typeof outboxOutcomes)[number];

/** A count of 0 for each outcome. */
export const noOutcomes = (): Record<OutboxOutcome, number> =>
  Object.fromEntries(outboxOutcomes.map((outcome) => [outcome, 0])) as Record<OutboxOutcome, number>;

/**
 * - `waiting`: its handler is called when it is due, for the first time or again
 * - `running`: an instance runs its handler under a lease; after the lease it counts as waiting
 * - `done`: its handler has succeeded
 * - `setAside`: a dead letter, whose handler has failed too often; a person must decide
 * - `withdrawn`: an `expired` or `failed` whose order was paid before its handler succeeded
 */
export type OutboxEventState = 'waiting' | 'running' | 'done' | 'setAside' | 'withdrawn';

/** One outcome of an order, of which the merchant's handler is notified once. */
export type OutboxEvent = {
  /** The idempotency key: unique, and the same for every run of the handler. */
  key: string;
  orderId: string;
  outcome: OutboxOutcome;
  /** The payment that caused the event. */
  reference: string;
  state: OutboxEventState;
  /** Counts the runs, and is a fencing token: only the last run may end the event. */
  token: number;
  /** The message of the last failure, at most 2,000 characters; `null` if the last run has not failed. */
  failure: string | null;
};

/** An outbox event whose run has just started. */
export type ClaimedOutboxEvent = OutboxEvent & {
  /** Whether the run before neither ended nor failed: its lease has expired. */
  wasLost: boolean;
};

/** Identifies one run of an outbox event. */
export type OutboxEventRun = Pick<OutboxEvent, 'key' | 'token'>;

/** Outcomes that no longer matter once the order is paid: their events are withdrawn, unless their handler runs and succeeds. */
export const overtakenByPaid: readonly OutboxOutcome[] = ['expired', 'failed'];

/** What has been charged in total, and what had been charged when the outcome came about, in minor units. */
type Charged = { observed: { chargedAmount: number } | null; outcomeAmount?: number };

type Payment = Pick<OutboxEvent, 'orderId' | 'reference'> & Charged;

/** Whether more money has arrived since the outcome came about. */
export const hasMoreSince = ({ observed, outcomeAmount = 0 }: Charged): boolean =>
  outcomeAmount > 0 && observed !== null && observed.chargedAmount > outcomeAmount;

/**
 * Returns the outbox events that are new when a payment has these outcomes:
 *
 * - an outcome with an event already is not new
 * - a `paid` or `amountMismatch` after that of another payment, or after another payment has paid the order, is
 *   `unexpectedMoney`
 * - `unexpectedMoney` of a payment is new again if more money has arrived
 * - `reversed` is new only after a `paid` of the same payment
 *
 * @param known all events of the order, in any state
 */
export function findNewEvents(
  payment: Payment,
  outcomes: readonly OutboxOutcome[],
  known: readonly OutboxEvent[],
): OutboxEvent[] {
  const { orderId, reference } = payment;
  const events = [...known];
  for (const given of outcomes) {
    const paid = events.find((event) => event.outcome === 'paid');
    const first = events.find((event) => event.outcome === given) ?? paid;
    const isSecond = moneyOutcomes.has(given) && first !== undefined && first.reference !== reference;
    const outcome = isSecond ? 'unexpectedMoney' : given;
    const key = outboxEventKey(payment, outcome, given);
    if (events.some((event) => event.key === key)) continue;
    if (outcome === 'reversed' && paid?.reference !== reference) continue;
    events.push({ key, orderId, outcome, reference, state: 'waiting', token: 0, failure: null });
  }
  return events.slice(known.length);
}

/** Reported once per order; on another payment of the order, they mean unexpected money. */
const moneyOutcomes: ReadonlySet<OutboxOutcome> = new Set(['paid', 'amountMismatch']);

/** Unique per order and outcome, except for unexpected money, which several payments can receive, and more than once. */
function outboxEventKey(payment: Payment, outcome: OutboxOutcome, given: OutboxOutcome): string {
  const { orderId, reference, observed } = payment;
  if (outcome !== 'unexpectedMoney') return `${orderId}:${outcome}`;
  const isMore = given === outcome && hasMoreSince(payment);
  return `${orderId}:${outcome}:${reference}${isMore ? `:${observed?.chargedAmount}` : ''}`;
}
