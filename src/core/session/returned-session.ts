import { CheckoutError, type PaymentView, type Session } from '../../contract/index.ts';
import type { CheckoutResponse } from '../connection/read-response.ts';
import { canKeepPolling } from '../machine/back-off.ts';
import type { Event } from '../machine/machine.ts';
import { type OrderOptions, type OrderStorage, orderStorage } from './order-storage.ts';
import { type StoredEntry, toStoredReference } from './payment-storage.ts';
import type { SessionClient } from './session-client.ts';

export type ReturnOptions = {
  readonly order: OrderOptions;
  readonly client: SessionClient;
  /** The payment named by the page's URL. It only selects one of the stored payments. */
  readonly reference: string | undefined;
  /** Receives `storedFound`. */
  readonly send: (event: Event) => void;
  readonly signal: AbortSignal;
};

/**
 * Finds the payment from which a shopper returns, and retrieves it: nothing in the page's URL is trusted. Never creates a payment.
 *
 * @throws {CheckoutError} `session_unknown` when this browser has no such payment, or may no longer retrieve it
 */
export async function findReturnedSession(options: ReturnOptions): Promise<CheckoutResponse<Session>> {
  const { order, reference, send } = options;
  const stored = findReturned(orderStorage(order), reference);
  if (stored) send({ type: 'storedFound', stored: toStoredReference(stored) });
  const current = stored && (await retrieveStored(options, stored));
  if (current) return current;
  throw new CheckoutError(
    'session_unknown',
    'This browser does not know the payment; confirm it to the shopper from your server.',
  );
}

/** Returns the stored payment that the page's URL names, or else that of the order that the page names. */
export const findReturned = (
  { find, findOrder }: OrderStorage,
  reference: string | undefined,
): StoredEntry | undefined => (reference === undefined ? undefined : find(reference)) ?? findOrder();

/** Retrieves a stored payment; `undefined` when the server does not show it to this browser. */
async function retrieveStored(
  { client, order: { body }, signal }: ReturnOptions,
  { reference, clientSecret }: StoredEntry,
): Promise<CheckoutResponse<Session> | undefined> {
  const stored = { reference, clientSecret };
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
const isRefusal = (error: unknown): boolean => !canKeepPolling(error as CheckoutError);
