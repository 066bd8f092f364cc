/** What a merchant is told of an order. */
export const effectOutcomes = [
  'paid',
  'failed',
  'expired',
  'reversed',
  'amountMismatch',
  'unexpectedMoney',
] as const;
export type EffectOutcome = (typeof effectOutcomes)[number];

/**
 * - `waiting`: to be run when it is due, for the first time or again
 * - `running`: somebody runs it under a lease; when the lease has passed it is as good as waiting
 * - `done`: the merchant's handler has ended well
 * - `setAside`: it has failed too often; a person decides
 * - `withdrawn`: the order was to be told of as expired or failed, and was paid before that handler had ended
 */
export type EffectState = 'waiting' | 'running' | 'done' | 'setAside' | 'withdrawn';

/** One thing that the merchant's server has to be told, once. */
export type Effect = {
  /** The idempotency key: unique, and the same however often the handler runs. */
  key: string;
  orderId: string;
  outcome: EffectOutcome;
  /** The payment that brought it about. */
  reference: string;
  state: EffectState;
  /** Counts how often it was begun, and fences: only who has begun it last may end it. */
  token: number;
  /** What the last failure said. */
  failure: string | null;
};

/**
 * What follows from a look at a payment. Whether it is news the store decides, in the same transaction:
 *
 * - an effect whose key exists is none, but a `paid` that another payment of the order has brought about becomes
 *   `unexpectedMoney` of this one
 * - `reversed` is news only after a `paid` of the same payment
 * - `paid` withdraws an `expired` or `failed` of the order whose handler does not run
 */
export type NewEffect = Pick<Effect, 'orderId' | 'outcome' | 'reference'>;

/** One an order and outcome, but for unexpected money, which can come on several payments of an order. */
export function effectKey({ orderId, outcome, reference }: NewEffect): string {
  return outcome === 'unexpectedMoney' ? `${orderId}:${outcome}:${reference}` : `${orderId}:${outcome}`;
}

/** What an order that is paid no longer needs to be told. */
export const withdrawnByPaid: readonly EffectOutcome[] = ['expired', 'failed'];
