import type { Payment } from '../api/payment.ts';
import type { PaymentsResource } from '../resources/payments.ts';

/** A page gives up a poll after 15 seconds. */
const callOptions = { maxRetries: 1, timeoutMs: 5000 };

type Verification = { at: number; result: Promise<Payment> };

/**
 * Returns a function that verifies a payment at most once in `intervalMs`: all callers of that time get the same response, or the same
 * error. It forgets what is older.
 */
export function createSpacedVerify(
  payments: Pick<PaymentsResource, 'verify'>,
  now: () => number,
  intervalMs: number,
): (reference: string) => Promise<Payment> {
  const recent = new Map<string, Verification>();
  return (reference) => {
    const at = now();
    // In the order of their time, because each is added at the end.
    for (const [known, verification] of recent) {
      if (at - verification.at < intervalMs) break;
      recent.delete(known);
    }
    const known = recent.get(reference);
    if (known !== undefined) return known.result;
    const result = payments.verify(reference, callOptions);
    recent.set(reference, { at, result });
    return result;
  };
}
