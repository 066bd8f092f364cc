import { type Payment, paymentFees } from './api/payment.ts';
import { PaymentsError } from './errors.ts';

/**
 * Refuses a payment with a fee that came, and could not be read: it is there, and `undefined`. Where what was charged is
 * counted without its fees (`dialect.chargedAmountBasis` is `net`), passing over one would make too little of what was paid.
 *
 * @throws {PaymentsError} `invalid_response`, naming each fee
 */
export function refuseLostFees(payment: Payment, operation = 'payments.verify'): void {
  const lost = paymentFees.filter((fee) => Object.hasOwn(payment, fee) && payment[fee] === undefined);
  if (lost.length === 0) return;
  const message = `The answer of ${operation} has a fee that cannot be read (${lost.join(', ')}), and dialect.chargedAmountBasis is "net"; check dialect.amountUnit.`;
  throw new PaymentsError('invalid_response', message, { operation, params: lost });
}
