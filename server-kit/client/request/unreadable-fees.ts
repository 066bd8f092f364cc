import type { Payment } from '../../api/payment.ts';
import { PaymentsError } from '../../errors/payments-error.ts';

/**
 * Refuses a payment with a fee that could not be read. Where what was charged is counted without its fees
 * (`dialect.chargedAmountBasis` is `net`), passing over one would make too little of what was paid.
 *
 * @throws {PaymentsError} `invalid_response`, naming each fee
 */
export function refuseLostFees(payment: Payment, operation = 'payments.verify'): void {
  const { unreadableFees } = payment;
  if (unreadableFees === undefined) return;
  const message = `The answer of ${operation} has a fee that cannot be read (${unreadableFees.join(', ')}), and dialect.chargedAmountBasis is "net"; check dialect.amountUnit.`;
  throw new PaymentsError('invalid_response', message, { operation, params: unreadableFees });
}
