import type { Payment } from '../api/payment.ts';
import type { PaymentRecord } from '../stores/payment-record.ts';

/** Whether the payment is a link that nobody is known to have opened: the service may not know its reference. */
export const isUnopenedLink = ({ opened, observed }: PaymentRecord): boolean =>
  opened?.link !== undefined && observed === null;

/** How far the service's clock may be ahead of our estimate, in milliseconds: a link must not expire early. */
const graceMs = 5000;

/**
 * Returns the record of a link for which the service has no payment: the same object, or an expired one after its time. The
 * service does not report that expiry itself. If a shopper opened the link at the last moment, a later verification finds it.
 */
export function mergeUnopened(record: PaymentRecord, serviceNow: number): PaymentRecord {
  const endsAtMs = Date.parse(record.opened?.expiresAt ?? '') + graceMs;
  const isOver = isUnopenedLink(record) && record.outcome === 'pending' && serviceNow > endsAtMs;
  return isOver ? { ...record, outcome: 'expired' } : record;
}

/**
 * Returns the record of a link with the identity of the payment that opening it created; other records are returned
 * unchanged. A response that names another payment is ignored the first time; if the next response names that payment again,
 * it is adopted.
 */
export function adoptPayment(record: PaymentRecord, payment: Payment): PaymentRecord {
  const { opened, observed, outcome } = record;
  if (opened?.link === undefined) return record;
  const { otherPaymentId, ...link } = opened.link;
  if (payment.id === opened.paymentId) {
    return otherPaymentId === undefined ? record : { ...record, opened: { ...opened, link } };
  }
  const isOver = outcome === 'paid' || outcome === 'reversed';
  if (observed === null || (otherPaymentId === payment.id && !isOver)) {
    // A mode that the service has stated is kept; and a test payment never becomes a live one.
    const isAssumed = observed === null && link.isModeAssumed === true;
    const liveMode = isAssumed ? opened.liveMode && payment.liveMode : opened.liveMode;
    return { ...record, opened: { ...opened, link, paymentId: payment.id, liveMode } };
  }
  if (otherPaymentId === payment.id) return record;
  return { ...record, opened: { ...opened, link: { ...link, otherPaymentId: payment.id } } };
}
