import { CheckoutError, type Session } from '../../contract/index.ts';
import { isOrderIdentified, linkStorage, orderStorage } from './order-storage.ts';
import { checkStoredSession, type ResumeOptions } from './resume.ts';
import type { CheckoutResponse } from './send-request.ts';
import { findStoredSession } from './stored-session.ts';

export type ReturnOptions = Pick<ResumeOptions, 'order' | 'client' | 'signal' | 'send'> & {
  /** The payment named by the page's URL. It only selects one of the stored payments. */
  readonly reference: string | undefined;
};

/**
 * Finds the payment from which a shopper returns, and retrieves it: nothing in the page's URL is trusted. Never creates a payment.
 *
 * @throws {CheckoutError} `session_unknown` when this browser has no such payment, or may no longer retrieve it
 */
export async function findReturnedSession({
  order,
  reference,
  send,
  ...options
}: ReturnOptions): Promise<CheckoutResponse<Session>> {
  const isIdentified = isOrderIdentified(order);
  const storage = isIdentified ? orderStorage(order) : linkStorage(order);
  const named = reference ? findStoredSession(order.environment, reference) : undefined;
  // The last link may be for another order than the URL names.
  const stored = named ?? (isIdentified || !reference ? storage.read() : undefined);
  if (stored) send({ type: 'storedFound', reference: stored.reference });
  const current = stored && (await checkStoredSession({ ...options, storage, stored }));
  if (current) return current;
  throw new CheckoutError(
    'session_unknown',
    'This browser does not know the payment; confirm it to the shopper from your server.',
  );
}
