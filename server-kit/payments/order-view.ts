import type { PaymentView } from '../../src/contract/index.ts';
import type { PaymentRecord } from '../stores/payment-record.ts';
import { hasPaid, mayHoldMoney } from './outcome.ts';
import { isOpened, type OpenedRecord, toPaymentView } from './payment-view.ts';

/** Whether money on this payment counts for its order: its account may have been shown, and it was not replaced. */
export const countsForOrder = (record: PaymentRecord): record is OpenedRecord =>
  isOpened(record) && record.outcome !== 'replaced';

/**
 * Returns the payment that decides what the shopper sees, whichever payment of the order the browser knows: the one that has
 * paid the order, or else one that may hold its money. Returns `undefined` if there is neither. A reversed payment decides
 * too: the merchant is told to return what comes after it.
 *
 * @param records all payments of the order
 */
export function decidingPayment(records: readonly PaymentRecord[]): OpenedRecord | undefined {
  const own = records.filter(countsForOrder);
  // Two payments may have been paid in full: the first one paid the order.
  const paid = own.filter((record) => hasPaid(record) && !record.isSecondPayment);
  const first = paid.reduce<OpenedRecord | undefined>(
    (earliest, one) => (earliest === undefined || isEarlier(one, earliest) ? one : earliest),
    undefined,
  );
  if (first !== undefined) return first;
  const funded = own.filter(mayHoldMoney);
  const confirming = funded.findLast((record) => record.confirming !== undefined);
  return confirming ?? funded.findLast(({ outcome }) => outcome === 'pending') ?? funded.at(-1);
}

const isEarlier = (one: OpenedRecord, other: OpenedRecord): boolean =>
  (one.outcomeAt ?? one.createdAt) < (other.outcomeAt ?? other.createdAt);

/**
 * Returns the view of one payment for its whole order: if another payment decides, the view is of that payment, but under the
 * requested reference, which is the one that the browser's secret and its other tabs know.
 *
 * @param records all payments of the order
 */
export function toOrderView(records: readonly PaymentRecord[], requested: OpenedRecord): PaymentView {
  const { reference } = requested;
  const view = toPaymentView(decidingPayment(records) ?? requested);
  const orderChargedAmount = chargedAmountOf(records, view.amount.currency);
  return {
    ...view,
    reference,
    ...(view.reference !== reference && { paymentReference: view.reference }),
    ...(orderChargedAmount > view.chargedAmount && { orderChargedAmount }),
  };
}

/** Returns the money received on all payments of the order in this currency, without reversals. */
function chargedAmountOf(records: readonly PaymentRecord[], currency: string): number {
  const counted = records.filter(
    ({ amount, observed }) => amount.currency === currency && observed?.status !== 'reversed',
  );
  return counted.reduce((sum, { observed }) => sum + (observed?.chargedAmount ?? 0), 0);
}
