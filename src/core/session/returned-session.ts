import { CheckoutError, type PaymentView, type Session } from '../../contract/index.ts';
import type { CheckoutResponse } from '../connection/read-response.ts';
import { canRetry } from '../machine/back-off.ts';
import type { OrderStorage } from './order-storage.ts';
import type { StoredEntry } from './payment-storage.ts';
import type { CreateOptions, SessionClient } from './session-client.ts';

/** Returns the stored payment that the page's URL names, or else that of the order that the page names. */
export const findReturned = (
  { find, findOrder }: OrderStorage,
  reference: string | undefined,
): StoredEntry | undefined => (reference === undefined ? undefined : find(reference)) ?? findOrder();

type Request = Pick<CreateOptions, 'body' | 'signal'>;

/**
 * Retrieves the stored payment from which a shopper returns: nothing in the page's URL is trusted. Never creates a payment.
 *
 * @throws {CheckoutError} `session_unknown` when this browser has no such payment, or may no longer retrieve it
 */
export async function retrieveReturned(
  client: SessionClient,
  stored: StoredEntry | undefined,
  request: Request,
): Promise<CheckoutResponse<Session>> {
  const current = stored && (await retrieveStored(client, stored, request));
  if (current) return current;
  throw new CheckoutError(
    'session_unknown',
    'This browser does not know the payment; confirm it to the shopper from your server.',
  );
}

/** Retrieves a stored payment; `undefined` when the server does not show it to this browser. */
async function retrieveStored(
  client: SessionClient,
  stored: StoredEntry,
  { body, signal }: Request,
): Promise<CheckoutResponse<Session> | undefined> {
  const { reference, clientSecret } = stored;
  try {
    const response = await client.retrieve(stored, { etag: undefined, waitSeconds: 0, signal });
    // Without an ETag every response contains a view.
    return { ...response, value: { ...(response.value as PaymentView), clientSecret } };
  } catch (error) {
    if (!isRefusal(error)) throw error;
    if ((error as CheckoutError).code !== 'session_unauthorized') return undefined;
  }
  try {
    // The server may accept the shopper where it refuses an old secret.
    const renewed = await client.create({ body, stored: [stored], preference: 'existing', signal });
    return renewed.value.reference === reference ? renewed : undefined;
  } catch (error) {
    if (isRefusal(error)) return undefined;
    throw error;
  }
}

/** Returns true where repeating the request cannot help. */
const isRefusal = (error: unknown): boolean => !canRetry(error as CheckoutError);
