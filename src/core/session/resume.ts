import type { CheckoutError, PaymentView, Session } from '../../contract/index.ts';
import { isTransient } from '../machine/back-off.ts';
import type { Event } from '../machine/machine.ts';
import { retrieveView } from './retrieve-view.ts';
import type { Answer, Ask } from './session-client.ts';
import type { SessionStorage, StoredSession } from './stored-session.ts';
import { isSaidOf } from './transfer-claim.ts';

/** How long an expired payment of an order that has no name is still taken for the order's, in milliseconds. */
const stillMeantMs = 3_600_000;

/** Failed attempts after which the payment that was there before is better than none. */
const patientFailures = 3;

export type ResumeOptions = {
  readonly ask: Ask;
  readonly storage: SessionStorage;
  /** The page says which order it is. Where it does not, the server may mean another by now. */
  readonly isNamed: boolean;
  /** How often this has failed before. */
  readonly failures: number;
  readonly signal: AbortSignal;
  /** Hears of it when there is a stored payment to look up. */
  readonly send: (event: Event) => void;
  /** Asks the server for the session of the order. */
  readonly post: () => Promise<Answer<Session>>;
};

/**
 * Opens a checkout where a session may be stored: looks at the stored payment first, and asks for a session only when
 * that could not take back a payment from a shopper who has paid, or may have.
 *
 * - paid, failed, expired and the like are shown as they are: after expiry the shopper is asked before there is
 *   another account, and "I have sent the money" is believed
 * - while it waits for money the server decides: it gives the same payment, or another when the cart has changed
 * - where the server refuses (the cart was emptied after paying), the stored payment is shown
 *
 * @throws {CheckoutError} as a look and the making of a session do; both can be tried again
 */
export async function resumeSession(options: ResumeOptions): Promise<Answer<Session>> {
  const { storage, failures, post } = options;
  const stored = storage.read();
  if (stored === undefined) return post();
  options.send({ type: 'storedFound' });
  const seen = await lookAtStored(options, stored);
  if (seen === undefined) return post();
  const isSent = isSaidOf(stored, seen.value);
  if (isShownAsItIs(seen, isSent, options.isNamed)) return seen;
  try {
    return await post();
  } catch (error) {
    const mayPass = isTransient(error as CheckoutError) && (failures < patientFailures || !options.isNamed);
    if (mayPass || options.signal.aborted) throw error;
    return seen;
  }
}

/** The stored payment as it is now; `undefined` when the server does not let this browser see it (any more). */
export async function lookAtStored(
  { ask, storage, signal }: Pick<ResumeOptions, 'ask' | 'storage' | 'signal'>,
  { reference, clientSecret }: StoredSession,
): Promise<Answer<Session> | undefined> {
  try {
    const answer = await retrieveView(
      ask,
      { reference, clientSecret },
      { etag: undefined, waitSeconds: 0, signal },
    );
    // Without an ETag there is no answer without a view.
    return { ...answer, value: { ...(answer.value as PaymentView), clientSecret } };
  } catch (error) {
    const { code } = error as CheckoutError;
    if (code === 'session_unauthorized') storage.forget(clientSecret);
    if (code === 'session_unauthorized' || code === 'not_found' || code === 'forbidden') return undefined;
    throw error;
  }
}

function isShownAsItIs(
  { value, serviceTimeMs }: Answer<Session>,
  isSent: boolean,
  isNamed: boolean,
): boolean {
  const { outcome, expiresAt } = value;
  if (outcome === 'replaced') return false;
  // An order without a name may be another one by now, and the server finds what is paid by itself. Only its new
  // account after expiry has to wait: money for the old one may be on its way.
  if (!isNamed) {
    const expiredForMs = (serviceTimeMs ?? Number.POSITIVE_INFINITY) - Date.parse(expiresAt);
    return outcome === 'expired' && (isSent || expiredForMs < stillMeantMs);
  }
  return outcome !== 'pending' || isSent;
}
