import type { PaymentView } from '../../src/contract/index.ts';
import type { PaymentRecord } from '../stores/store.ts';
import { mayHoldMoney } from './outcome.ts';
import { isOpened, type OpenedRecord, toPaymentView } from './payment-view.ts';

/**
 * The payment that decides what an order's shopper sees, whichever of its payments they hold: the one that has paid the
 * order, or else one that may hold its money. `undefined` where neither exists. Payments that were replaced are none of the
 * order's any more.
 *
 * @param records all payments of the order
 */
export function decidingPayment(records: readonly PaymentRecord[]): OpenedRecord | undefined {
  const own = records.filter(isOpened).filter(({ outcome }) => outcome !== 'replaced');
  // Two payments can have been paid in full: the order was paid by the first.
  const paid = own.filter(({ outcome, isSecondPayment }) => outcome === 'paid' && !isSecondPayment);
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
 * The view of one payment, answered for its whole order: where another payment decides, the view is that one's, under the
 * reference that was asked for, which is what the browser's secret and its other tabs know.
 *
 * @param records all payments of the order
 */
export function toOrderView(records: readonly PaymentRecord[], asked: OpenedRecord): PaymentView {
  const { reference } = asked;
  const view = toPaymentView(decidingPayment(records) ?? asked);
  const orderChargedAmount = chargedAmountOf(records, view.amount.currency);
  return {
    ...view,
    reference,
    ...(view.reference !== reference && { paymentReference: view.reference }),
    ...(orderChargedAmount > view.chargedAmount && { orderChargedAmount }),
  };
}

/** What has come in this currency on all payments of the order, without what was taken back. */
function chargedAmountOf(records: readonly PaymentRecord[], currency: string): number {
  const counted = records.filter(
    ({ amount, observed }) => amount.currency === currency && observed?.status !== 'reversed',
  );
  return counted.reduce((sum, { observed }) => sum + (observed?.chargedAmount ?? 0), 0);
}
