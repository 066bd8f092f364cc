import type { Payment } from '../api/payment.ts';
import type { PaymentRecord } from '../stores/store.ts';

/** Whether nobody is known to have opened the link of this payment: then the service may not know the reference. */
export const isUnopenedLink = ({ opened, observed }: PaymentRecord): boolean =>
  opened?.link !== undefined && observed === null;

/** How far the service's clock may be ahead of what we take it for, in milliseconds: a link ends no sooner than it says. */
const graceMs = 5000;

/**
 * The record of a link that the service has no payment for: the same object, or expired, once its time is over. The
 * service, which has nothing to say of it, will not say that either. Somebody may still have opened it at the last
 * moment, and a later look finds that.
 */
export function mergeUnopened(record: PaymentRecord, serviceNow: number): PaymentRecord {
  const endsAtMs = Date.parse(record.opened?.expiresAt ?? '') + graceMs;
  const isOver = isUnopenedLink(record) && record.outcome === 'pending' && serviceNow > endsAtMs;
  return isOver ? { ...record, outcome: 'expired' } : record;
}

/**
 * The record of a link, with the identity of the payment that was made when somebody opened it; all others as they are. A
 * response that names another payment is not believed, but one wrong response must not decide for good: where the next one
 * names that payment too, it is the one.
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
    // A mode that somebody has told is not put in doubt; and nothing makes a test of ours a live payment.
    const isAssumed = observed === null && link.isModeAssumed === true;
    const liveMode = isAssumed ? opened.liveMode && payment.liveMode : opened.liveMode;
    return { ...record, opened: { ...opened, link, paymentId: payment.id, liveMode } };
  }
  if (otherPaymentId === payment.id) return record;
  return { ...record, opened: { ...opened, link: { ...link, otherPaymentId: payment.id } } };
}
