/** What a merchant is told of an order. */
export const outboxOutcomes = [
  'paid',
  'failed',
  'expired',
  'reversed',
  'amountMismatch',
  'unexpectedMoney',
] as const;
export type OutboxOutcome = (typeof outboxOutcomes)[number];

/**
 * - `waiting`: to be run when it is due, for the first time or again
 * - `running`: somebody runs it under a lease; when the lease has passed it is as good as waiting
 * - `done`: the merchant's handler has ended well
 * - `setAside`: it has failed too often; a person decides
 * - `withdrawn`: the order was to be told of as expired or failed, and was paid before that handler had ended well
 */
export type OutboxEventState = 'waiting' | 'running' | 'done' | 'setAside' | 'withdrawn';

/** One thing that the merchant's server has to be told, once. */
export type OutboxEvent = {
  /** The idempotency key: unique, and the same however often the handler runs. */
  key: string;
  orderId: string;
  outcome: OutboxOutcome;
  /** The payment that brought it about. */
  reference: string;
  state: OutboxEventState;
  /** Counts how often it was begun, and fences: only who has begun it last may end it. */
  token: number;
  /** What the last failure said, 2,000 characters at most; `null` when the last run has not failed. */
  failure: string | null;
};

/** An effect that has just been begun. */
export type ClaimedOutboxEvent = OutboxEvent & {
  /** Whether the run before has neither ended nor failed: its lease has passed. */
  wasLost: boolean;
};

/** Names one run of an effect. */
export type OutboxEventRun = Pick<OutboxEvent, 'key' | 'token'>;

/**
 * Outcomes that an order no longer needs to be told of once it is paid. Whatever of them does not run at that moment,
 * or does not end well afterwards, is withdrawn.
 */
export const overtakenByPaid: readonly OutboxOutcome[] = ['expired', 'failed'];

/** What has been charged, and what of it when the outcome came about, in minor units. */
type Charged = { observed: { chargedAmount: number } | null; outcomeAmount?: number };

type Payment = Pick<OutboxEvent, 'orderId' | 'reference'> & Charged;

/** Whether more money has come on the payment since its outcome came about. */
export const hasMoreSince = ({ observed, outcomeAmount = 0 }: Charged): boolean =>
  outcomeAmount > 0 && observed !== null && observed.chargedAmount > outcomeAmount;

/**
 * The effects that are news when a look at a payment has these outcomes:
 *
 * - what the order was told, or is to be told, is no news; but a `paid` or an `amountMismatch` that another payment of the
 *   order has brought about already is `unexpectedMoney` of this one
 * - `unexpectedMoney` of a payment is news again when more has come
 * - `reversed` is news only after a `paid` of the same payment
 *
 * @param known all effects of the order, whatever their state
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
    const first = events.find((event) => event.outcome === given);
    const isSecond = moneyOutcomes.has(given) && first !== undefined && first.reference !== reference;
    const outcome = isSecond ? 'unexpectedMoney' : given;
    const key = outboxEventKey(payment, outcome, given);
    if (events.some((event) => event.key === key)) continue;
    if (outcome === 'reversed' && paid?.reference !== reference) continue;
    events.push({ key, orderId, outcome, reference, state: 'waiting', token: 0, failure: null });
  }
  return events.slice(known.length);
}

/** What tells of money by itself, once an order: on another payment of it, the same is money that nobody waits for. */
const moneyOutcomes: ReadonlySet<OutboxOutcome> = new Set(['paid', 'amountMismatch']);

/** One an order and outcome, but for unexpected money, which can come on several payments of an order, and again on each. */
function outboxEventKey(payment: Payment, outcome: OutboxOutcome, given: OutboxOutcome): string {
  const { orderId, reference, observed } = payment;
  if (outcome !== 'unexpectedMoney') return `${orderId}:${outcome}`;
  const isMore = given === outcome && hasMoreSince(payment);
  return `${orderId}:${outcome}:${reference}${isMore ? `:${observed?.chargedAmount}` : ''}`;
}
