import type { PaymentView, Session } from '../../contract/index.ts';
import type { Event } from '../machine/machine.ts';
import { type OrderOptions, orderStorage } from './order-storage.ts';
import type { StoredSession } from './stored-session.ts';

type ClaimEvent = Event & { readonly type: 'claimed' };

/** The shopper's claim to have sent the money, as stored. */
export type TransferClaim = {
  /** The claim that was stored before, if it still holds. */
  readonly restored: ClaimEvent | undefined;
  /** Stores the claim or its withdrawal, for a reload and for other tabs. */
  readonly store: (isClaimed: boolean) => void;
};

export type TransferClaimOptions = {
  readonly session: Session;
  /** The newest known view of the payment. */
  readonly view: () => PaymentView;
  /** Receives the claims and withdrawals of other tabs. */
  readonly send: (event: Event) => void;
  readonly signal: AbortSignal;
};

/**
 * Tracks the transfer claim of a session, and follows the storage for claims of other tabs until the signal is aborted. A frozen tab
 * misses storage events, so it reads the storage again when it is shown. A claim for another payment of the order, or from before more
 * money arrived, is ignored.
 */
export function trackTransferClaim(
  order: OrderOptions,
  { session, view, send, signal }: TransferClaimOptions,
): TransferClaim {
  const { reference, clientSecret } = session;
  const { environment } = order;
  const storage = orderStorage(order);
  const read = (): StoredSession | undefined => {
    const stored = storage.read();
    return stored?.reference === reference ? stored : undefined;
  };
  const initial = read();
  /** The claim last seen in the storage: the same claim is no news, even where nothing can be written. */
  let known: string | undefined;

  /** Never in the future: the date may have been set back. */
  const claimEventOf = ({ sentAtMs = environment.date() }: StoredSession): ClaimEvent => ({
    type: 'claimed',
    atMs: environment.now() - Math.max(0, environment.date() - sentAtMs),
  });

  const stop = environment.observe(['storage', 'visibilitychange', 'pageshow'], () => {
    const stored = read();
    if (!stored || claimKey(stored) === known) return;
    known = claimKey(stored);
    if (known === undefined) send({ type: 'withdrawn' });
    else if (hasClaimFor(stored, view())) send(claimEventOf(stored));
  });
  signal.addEventListener('abort', stop);

  return {
    restored: initial && hasClaimFor(initial, session) ? claimEventOf(initial) : undefined,
    store(isClaimed) {
      const last = read();
      const { chargedAmount, paymentReference } = view();
      const sentAfter = isClaimed ? chargedAmount : undefined;
      // A repeated claim keeps its first time.
      const sentAtMs = last?.sentAfter === sentAfter ? last?.sentAtMs : undefined;
      storage.write({
        reference,
        clientSecret,
        sentAfter,
        sentFor: isClaimed ? paymentReference : undefined,
        sentAtMs: isClaimed ? (sentAtMs ?? environment.date()) : undefined,
      });
      known = claimKey(storage.read());
    },
  };
}

/** Returns a text that is equal for equal claims; undefined without a claim. */
const claimKey = ({ sentAfter, sentFor }: Partial<StoredSession> = {}): string | undefined =>
  sentAfter === undefined ? undefined : `${sentAfter} ${sentFor}`;

/** Returns true where the stored claim is for the payment in the view, and no money has arrived since. */
export function hasClaimFor({ sentAfter, sentFor }: StoredSession, view: PaymentView): boolean {
  return sentAfter === view.chargedAmount && sentFor === view.paymentReference;
}
