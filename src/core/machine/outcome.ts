import type { PaymentView } from '../../contract/index.ts';

/** Returns true for a decided outcome. It changes rarely: by a second transfer, a reversal, or another payment of the order. */
export function isDecided(outcome: PaymentView['outcome']): boolean {
  return !['pending', 'expired', 'unclear'].includes(outcome);
}

/** An outcome, and the payment that it belongs to. */
export type PaymentOutcome = Pick<PaymentView, 'outcome' | 'paymentReference'>;

/**
 * Returns whether the view `next` may be shown after `current`. Once another payment has paid the order, a view that does not know that
 * payment comes from an older server, which considers one payment alone: it must not ask for money again. A reversal of the other
 * payment looks the same, and is shown after a reload.
 */
export function canFollow(current: PaymentOutcome, next: PaymentOutcome): boolean {
  const isPaidByAnother = current.outcome === 'paid' && current.paymentReference !== undefined;
  const knowsOrder =
    next.paymentReference !== undefined || next.outcome === 'paid' || next.outcome === 'reversed';
  return !isPaidByAnother || knowsOrder;
}
