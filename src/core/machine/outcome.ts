import type { PaymentView } from '../../contract/index.ts';

/**
 * True when the outcome is decided. What can still change the view then is seldom, and nobody waits for it: a second transfer, a
 * reversal, another payment of the order.
 */
export function isDecided(outcome: PaymentView['outcome']): boolean {
  return !['pending', 'expired', 'unclear'].includes(outcome);
}

/** What says whose outcome a view tells. */
export type Told = Pick<PaymentView, 'outcome' | 'paymentReference'>;

/**
 * Whether the view `next` may be shown after `known`. Where another payment of the order has paid it, a view that knows nothing of that
 * one may not ask for money again: it is from a server of an older version, which answers for one payment alone. What else
 * could bring such a view, a reversal of the other payment, is shown after a reload.
 */
export function mayFollow(known: Told, next: Told): boolean {
  const isPaidElsewhere = known.outcome === 'paid' && known.paymentReference !== undefined;
  const isOfOrder =
    next.paymentReference !== undefined || next.outcome === 'paid' || next.outcome === 'reversed';
  return !isPaidElsewhere || isOfOrder;
}
