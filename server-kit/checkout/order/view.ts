import { notFoundStatus, type Outcome, type PaymentView } from '../../../src/contract/index.ts';
import { decidingPayment, isMissing, isWhole, orderChargedAmount } from './money.ts';
import {
  isShown,
  type Opened,
  type Order,
  type Paid,
  type ShownPayment,
  type UnseenPayment,
} from './order.ts';

/**
 * Returns the outcome of one payment. Only the payment that `report` has chosen is `paid`, and it stays `reversed` after a reversal. The
 * money of another that is whole belongs to nobody's order.
 */
export function outcomeOf({ reported: { paid } }: Order, payment: ShownPayment): Outcome {
  const { reference, observed, amount, state } = payment;
  if (paid?.by === reference) return paid.isReversed ? 'reversed' : 'paid';
  if (state === 'replaced') return 'replaced';
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

/** Returns what the shopper's browser may know of one payment. Each field is listed, so that nothing else gets out. */
export function viewPayment(order: Order, payment: ShownPayment): PaymentView {
  const { reference, amount, opened, observed } = payment;
  const outcome = outcomeOf(order, payment);
  const payableAt = outcome === 'pending' ? payableAtOf(payment) : undefined;
  const { paid } = order.reported;
  const isUnknown = isMissing(payment) && paid?.by !== reference;
  return {
    reference,
    account: accountOf(opened),
    amount: { value: amount.value, currency: amount.currency },
    chargedAmount: observed?.chargedAmount ?? 0,
    status: isUnknown ? notFoundStatus : (observed?.status ?? 'initiated'),
    // Nobody should pay into this account, or an older widget has none to show: `unclear` makes the widget keep polling.
    outcome: isUnknown || payableAt !== undefined ? 'unclear' : outcome,
    openedAt: opened.openedAt,
    expiresAt: opened.expiresAt,
    liveMode: opened.liveMode,
    ...(outcome === 'paid' && paid !== null && paidFacts(order, paid, opened)),
    ...(payableAt !== undefined && { authorizationUrl: payableAt }),
  };
}

const paidFacts = ({ orderId }: Order, { at }: Paid, { expiresAt }: Opened): Partial<PaymentView> => ({
  ...{ orderId, paidAt: at },
  ...(Date.parse(at) > Date.parse(expiresAt) && { receivedLate: true }),
});

/** Returns the view of a payment that no browser knows, for a merchant's handler. Its account is empty, and has expired. */
export function viewUnseen(order: Order, payment: UnseenPayment): PaymentView {
  const { reference, amount, createdAt, observed } = payment;
  return {
    reference,
    account: emptyAccount(),
    amount: { value: amount.value, currency: amount.currency },
    chargedAmount: observed?.chargedAmount ?? 0,
    status: observed?.status ?? 'initiated',
    outcome: 'replaced',
    openedAt: createdAt,
    expiresAt: createdAt,
    // Its own mode is not recorded. Money counts as real unless the order is a test.
    liveMode: order.payments.find(isShown)?.opened.liveMode ?? true,
  };
}

const emptyAccount = (): PaymentView['account'] => ({ number: '', name: '', bankName: '' });

/** The account of a link is empty: older widgets expect one. */
function accountOf(opened: Opened): PaymentView['account'] {
  if (opened.kind === 'link') return emptyAccount();
  const { number, name, bankName } = opened.account;
  return { number, name, bankName };
}

/** Returns the page of the service on which a pending payment can still be made or completed. */
function payableAtOf(payment: ShownPayment): string | undefined {
  const { opened, observed } = payment;
  const isWaiting = observed?.status !== 'charged' && !isMissing(payment);
  return opened.kind === 'link' && isWaiting ? opened.authorizationUrl : undefined;
}

/**
 * Returns the view of one payment for its whole order: if another payment decides, the view is of that payment, but under the
 * requested reference, which is the one that the browser's secret and its other tabs know.
 */
export function view(order: Order, requested: ShownPayment): PaymentView {
  const { reference } = requested;
  const shown = viewPayment(order, decidingPayment(order) ?? requested);
  const total = orderChargedAmount(order, shown.amount.currency);
  return {
    ...shown,
    reference,
    ...(shown.reference !== reference && { paymentReference: shown.reference }),
    ...(total > shown.chargedAmount && { orderChargedAmount: total }),
  };
}

/** Whether nothing more is likely to happen that a shopper would wait for. */
export const isSettled = (outcome: PaymentView['outcome']): boolean =>
  outcome === 'paid' || outcome === 'failed' || outcome === 'reversed';
