import type { Payment } from './api/payment.ts';
import { PaymentsError } from './errors.ts';
import { type MadePayment, type MakeOptions, refuseAnotherPayment } from './make-account.ts';
import type { Order } from './order.ts';
import { isOpened } from './payment-view.ts';
import type { PaymentRecord } from './stores/store.ts';

/**
 * Has the service make a page of its own on which the order is paid (interface, section 4.5). No account is told, and no
 * payment exists, before somebody opens it.
 *
 * @throws {PaymentsError}
 */
export async function makeLink(
  { payments, callbackUrl, returnUrl }: MakeOptions,
  order: Order,
  record: PaymentRecord,
): Promise<MadePayment> {
  const made = await payments.checkout.create({
    reference: record.reference,
    amount: { value: record.amount.value, currency: order.amount.currency },
    returnUrl: order.returnUrl ?? returnUrl,
    callbackUrl,
    ...(order.customer && { customer: order.customer }),
    ...(order.metadata && { metadata: order.metadata }),
  });
  refuseAnotherPayment('checkout.create', made, record);
  const { id, authorizationUrl, expiresAt, liveMode } = made;
  const endsAtMs = payments.serviceNow() + order.expiresInSeconds * 1000;
  return {
    paymentId: id,
    account: { number: '', name: '', bankName: '' },
    expiresAt: expiresAt ?? new Date(endsAtMs).toISOString(),
    liveMode: liveMode ?? payments.mayBeLive,
    link: { authorizationUrl, ...(liveMode == null && { isModeAssumed: true }) },
  };
}

/** Whether an error of verify only says that nobody has opened the link of this attempt yet. */
export const isNotOpenedYet = ({ opened, observed }: PaymentRecord, error: unknown): boolean =>
  opened?.link !== undefined &&
  observed === null &&
  error instanceof PaymentsError &&
  error.code === 'not_found';

/** How far the service's clock may be ahead of what we take it for, in milliseconds: a link ends no sooner than it says. */
const graceMs = 5000;

/**
 * The record of a link that the service has no payment for: the same object, or expired, once its time is over. The
 * service, which has nothing to say of it, will not say that either. Somebody may still have opened it at the last
 * moment, and a later look finds that.
 */
export function mergeUnopened(record: PaymentRecord, serviceNow: number): PaymentRecord {
  const endsAtMs = Date.parse(record.opened?.expiresAt ?? '') + graceMs;
  return record.outcome === 'pending' && serviceNow > endsAtMs ? { ...record, outcome: 'expired' } : record;
}

/**
 * The record of a link, with the identity of the payment that was made when somebody opened it; all others as they are. It
 * is taken once: from then on the payment has to be the same in every respect.
 */
export function adoptPayment(record: PaymentRecord, payment: Payment): PaymentRecord {
  if (!isOpened(record) || record.opened.link === undefined || record.observed !== null) return record;
  const { opened } = record;
  // A mode that somebody has told is not put in doubt; and nothing makes a test of ours a live payment.
  const liveMode = opened.link?.isModeAssumed ? opened.liveMode && payment.liveMode : opened.liveMode;
  return { ...record, opened: { ...opened, paymentId: payment.id, liveMode } };
}
