import { notFoundStatus, type Outcome, type PaymentView } from '../../../src/contract/index.ts';
import { type Dialect, defaultDialect } from '../api/dialect.ts';
import type { Payment } from '../api/payment.ts';
import { isPaid, isSamePayment } from './is-paid.ts';
import type { OpenedPayment } from './opened-payment.ts';
import { grossAmount } from './payment-money.ts';

/** An opened payment as a platform has stored it, with its id of the order, for the receipt of a paid payment. */
export type PlatformPayment = OpenedPayment & { orderId?: string };

/**
 * Returns what a page may show of a payment, as the widget reads it. It has no field of the service's record besides these, so that
 * nothing else gets out.
 *
 * @param payment what `payments.verify` has returned; `undefined` if nobody has asked yet; `null` if the service does not know the
 *   payment any more (`not_found`): the page then says that nobody should pay
 * @param dialect `client.dialect`, where it is not the default
 */
export function toPaymentView(
  opened: PlatformPayment,
  payment?: Payment | null,
  dialect: Readonly<Dialect> = defaultDialect,
): PaymentView {
  const { reference, account, amount, openedAt, expiresAt, liveMode, orderId } = opened;
  // A response about another payment says nothing about this one.
  const known = payment && isSamePayment(opened, payment) ? payment : undefined;
  const paid = known !== undefined && isPaid(opened, known, dialect) ? known : undefined;
  return {
    reference,
    account: { number: account.number, name: account.name, bankName: account.bankName },
    amount: { value: amount.value, currency: amount.currency },
    chargedAmount: (known && grossAmount(known, dialect)) ?? 0,
    status: payment === null ? notFoundStatus : (known?.status ?? 'initiated'),
    outcome: payment === null ? 'unclear' : paid ? 'paid' : unpaidOutcome(known, dialect),
    openedAt,
    expiresAt,
    liveMode,
    ...(paid && { paidAt: paid.updatedAt, ...(orderId !== undefined && { orderId }) }),
    ...(paid && Date.parse(paid.updatedAt) > Date.parse(expiresAt) && { receivedLate: true }),
  };
}

function unpaidOutcome(payment: Payment | undefined, dialect: Readonly<Dialect>): Outcome {
  switch (payment?.status) {
    case 'succeeded':
      return grossAmount(payment, dialect) === null ? 'pending' : 'amountMismatch';
    case 'expired':
    case 'failed':
    case 'reversed':
      return payment.status as Outcome;
    default:
      return 'pending';
  }
}
