import { type Dialect, defaultDialect } from '../api/dialect.ts';
import type { Payment } from '../api/payment.ts';
import type { OpenedPayment } from './opened-payment.ts';
import { grossAmount, isWhole } from './payment-money.ts';

/** What shows that a response is about the payment that was opened. */
export type PaymentIdentity = Pick<OpenedPayment, 'reference' | 'paymentId' | 'amount' | 'liveMode'>;

/**
 * Whether the service has confirmed that the payment is paid: its status is `succeeded`, at least the amount was charged, and reference,
 * id, currency and mode are those of the payment that was opened. Nothing else is evidence: not a callback, and not `charged`.
 *
 * @param payment what `payments.verify` has returned
 * @param dialect `client.dialect`, where it is not the default
 */
export function isPaid(
  opened: PaymentIdentity,
  payment: Payment,
  dialect: Readonly<Dialect> = defaultDialect,
): boolean {
  const { status, expectedAmount } = payment;
  const chargedAmount = grossAmount(payment, dialect);
  // `succeeded` without an amount may be a part.
  if (chargedAmount === null || !isSamePayment(opened, payment)) return false;
  return isWhole({ status, chargedAmount, expectedAmount }, opened.amount);
}

/** Whether a response describes the payment that was opened. */
export const isSamePayment = (opened: PaymentIdentity, payment: Payment): boolean =>
  payment.reference === opened.reference &&
  payment.id === opened.paymentId &&
  payment.currency === opened.amount.currency &&
  payment.liveMode === opened.liveMode;
