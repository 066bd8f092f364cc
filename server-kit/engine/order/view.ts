import { notFoundStatus, type Outcome, type PaymentView } from '../../../src/contract/index.ts';
import { isWhole, viewOf } from '../../core/payment.ts';
import { decidingPayment, isMissing, reportedOnOthers } from './money.ts';
import { isShown, type KnownPayment, type Order, type ShownPayment } from './record.ts';

/**
 * Returns the outcome of one payment. Only the payment that `report` has chosen is `paid`, and it stays `reversed` after a reversal. Full
 * money on another payment counts for no order.
 */
export function outcomeOf({ reported: { paid } }: Order, payment: KnownPayment): Outcome {
  const { reference, observed, amount, state } = payment;
  if (paid?.by === reference) return paid.isReversed ? 'reversed' : 'paid';
  if (state === 'closed') return 'replaced';
  switch (observed?.status) {
    case 'succeeded':
      return isWhole(observed, amount) ? 'replaced' : 'amountMismatch';
    case 'expired':
    case 'failed':
    case 'reversed':
      return observed.status;
    default:
      return 'pending';
  }
}

/** Returns what the shopper's browser, or a handler, may know of one payment. */
export function viewPayment(order: Order, payment: KnownPayment): PaymentView {
  const { reference, amount, opened, observed } = payment;
  const { paid } = order.reported;
  const isPaid = paid?.by === reference;
  const isUnknown = isMissing(payment) && !isPaid;
  const facts = { reference, amount, ...(isPaid && { orderId: order.orderId }) };
  return viewOf(
    { ...(opened ?? neverOpened(order, payment)), ...facts },
    {
      status: isUnknown ? notFoundStatus : (observed?.status ?? 'initiated'),
      outcome: isUnknown ? 'unclear' : outcomeOf(order, payment),
      chargedAmount: observed?.chargedAmount ?? 0,
      paidAt: isPaid ? paid.at : undefined,
    },
  );
}

/** The facts of a payment that no browser knows. */
const neverOpened = ({ payments }: Order, { createdAt }: KnownPayment) => ({
  openedAt: createdAt,
  expiresAt: createdAt,
  // Its own mode is not recorded. Money counts as real unless the order is a test.
  liveMode: payments.find(isShown)?.opened.liveMode ?? true,
});

/**
 * Returns the view of one payment for its whole order: if another payment decides, the view is of that payment, but under the
 * requested reference, which is the one that the browser's secret and its other tabs know.
 */
export function view(order: Order, requested: ShownPayment): PaymentView {
  const { reference } = requested;
  const shown = viewPayment(order, decidingPayment(order) ?? requested);
  const onOthers = reportedOnOthers(order, shown);
  return {
    ...shown,
    reference,
    ...(shown.reference !== reference && { paymentReference: shown.reference }),
    ...(onOthers > 0 && { orderChargedAmount: shown.chargedAmount + onOthers }),
  };
}

/** Returns the view of the order's payment: the one that decides, or else the last; `undefined` while no account is known. */
export function viewOrder(order: Order): PaymentView | undefined {
  const payment = decidingPayment(order) ?? order.payments.findLast(isShown);
  return payment && view(order, payment);
}

/** Whether nothing more is likely to happen that a shopper would wait for. */
export const isSettled = (outcome: PaymentView['outcome']): boolean =>
  outcome === 'paid' || outcome === 'failed' || outcome === 'reversed';
