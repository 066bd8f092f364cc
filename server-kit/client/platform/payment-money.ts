import type { Money } from '../../../src/contract/index.ts';
import type { Dialect } from '../api/dialect.ts';
import { type Payment, paymentFees } from '../api/payment.ts';

/**
 * Whether the service says that money is on the payment, confirmed or not: it must not be cancelled, replaced or forgotten. A status that
 * this version does not know says nothing about money until it names an amount.
 *
 * @param payment what `payments.verify` has returned
 */
export const holdsMoney = ({ status, chargedAmount }: Pick<Payment, 'status' | 'chargedAmount'>): boolean =>
  status !== 'reversed' && ((chargedAmount ?? 0) > 0 || status === 'charged' || status === 'succeeded');

/** Whether what the service says of a payment confirms at least what the order costs, and what the service expects. */
export const isWhole = (
  observed: Pick<Payment, 'status' | 'expectedAmount'> & { chargedAmount: number },
  amount: Money,
): boolean =>
  observed.status === 'succeeded' &&
  observed.chargedAmount >= Math.max(observed.expectedAmount, amount.value);

/** Returns what the shopper sent, in minor units, whichever way the service counts its fees; `null` if no amount is named. */
export function grossAmount(payment: Payment, dialect: Readonly<Dialect>): number | null {
  const { chargedAmount } = payment;
  const isGross = dialect.chargedAmountBasis === 'gross' || chargedAmount === null || chargedAmount <= 0;
  // The amount of a reversal decides nothing.
  if (isGross || payment.status === 'reversed') return chargedAmount;
  return paymentFees.reduce((sum, fee) => sum + (payment[fee] ?? 0), chargedAmount);
}
