import type { CheckoutError, PaymentView, Session } from '../../contract/index.ts';
import { isTransient } from '../machine/back-off.ts';
import type { Event } from '../machine/machine.ts';
import { isOrderIdentified, type OrderOptions, orderStorage } from './order-storage.ts';
import type { CheckoutResponse } from './send-request.ts';
import type { SessionClient } from './session-client.ts';
import type { SessionStorage, StoredSession } from './stored-session.ts';
import { hasClaimFor } from './transfer-claim.ts';

/** How long after expiry a stored payment is used for an unidentified order, in milliseconds. */
const recentExpiryMs = 3_600_000;

/** Failed attempts after which the stored payment is shown instead of none. */
const maxFailures = 3;

export type ResumeOptions = {
  readonly order: OrderOptions;
  readonly client: SessionClient;
  /** Failed attempts so far. */
  readonly failures: number;
  readonly signal: AbortSignal;
  /** Receives `storedFound` and `storedDismissed`. */
  readonly send: (event: Event) => void;
  /** Requests the order's session from the server. */
  readonly create: () => Promise<CheckoutResponse<Session>>;
};

/**
 * Opens a checkout where a session may be stored: retrieves the stored payment first, and requests a session only where that cannot hide
 * a payment that the shopper has paid, or may have paid.
 *
 * - A decided or expired payment is shown: after expiry the shopper decides about a new account, and a transfer claim holds.
 * - While a payment waits for money the server decides: it returns the same payment, or another one when the cart has changed.
 * - Where the server refuses (the cart was emptied after paying), the stored payment is shown.
 *
 * @throws {CheckoutError} of either request; the caller can try again
 */
export async function resumeSession(options: ResumeOptions): Promise<CheckoutResponse<Session>> {
  const { order, client, failures, signal, create } = options;
  const storage = orderStorage(order);
  const stored = storage.read();
  if (stored === undefined) return create();
  options.send({ type: 'storedFound', reference: stored.reference });
  const current = await checkStoredSession({ client, storage, stored, signal });
  const isIdentified = isOrderIdentified(order);
  if (current && canShowStored(current, hasClaimFor(stored, current.value), isIdentified)) return current;
  // It is over, or another order's.
  if (current?.value.outcome !== 'pending') options.send({ type: 'storedDismissed' });
  if (current === undefined) return create();
  try {
    return await create();
  } catch (error) {
    const canRetry = isTransient(error as CheckoutError) && (failures < maxFailures || !isIdentified);
    if (canRetry || signal.aborted) throw error;
    return current;
  }
}

type CheckOptions = Pick<ResumeOptions, 'client' | 'signal'> & {
  readonly storage: SessionStorage;
  readonly stored: StoredSession;
};

/** Retrieves the current view of a stored payment; `undefined` when the server no longer shows it to this browser. */
export async function checkStoredSession({
  client,
  storage,
  stored: { reference, clientSecret },
  signal,
}: CheckOptions): Promise<CheckoutResponse<Session> | undefined> {
  try {
    const response = await client.retrieve(
      { reference, clientSecret },
      { etag: undefined, waitSeconds: 0, signal },
    );
    // Without an ETag every response contains a view.
    return { ...response, value: { ...(response.value as PaymentView), clientSecret } };
  } catch (error) {
    const { code } = error as CheckoutError;
    if (code === 'session_unauthorized') storage.remove(clientSecret);
    if (['session_unauthorized', 'not_found', 'forbidden'].includes(code)) return undefined;
    throw error;
  }
}

function canShowStored(
  { value, serviceTimeMs }: CheckoutResponse<Session>,
  isClaimed: boolean,
  isIdentified: boolean,
): boolean {
  const { outcome, expiresAt } = value;
  if (outcome === 'replaced') return false;
  // An unidentified order may be another one by now, and the server finds a paid payment itself. Only a new account after expiry must
  // wait: money may be on its way to the old one.
  if (!isIdentified) {
    const expiredForMs = (serviceTimeMs ?? Number.POSITIVE_INFINITY) - Date.parse(expiresAt);
    return outcome === 'expired' && (isClaimed || expiredForMs < recentExpiryMs);
  }
  return outcome !== 'pending' || isClaimed;
}
