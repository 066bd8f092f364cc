import type { PaymentView, Session } from '../contract/index.ts';
import type { Environment } from './environment.ts';
import type { Event } from './machine.ts';
import { isDecided } from './state.ts';
import { type OrderOptions, orderStorage, type StoredEntry } from './storage.ts';

type ClaimEvent = Event & { readonly type: 'claimed' };

export type TrackOptions = {
  readonly session: Session;
  readonly payment: () => PaymentView;
  readonly send: (event: Event) => void;
  readonly signal: AbortSignal;
};

/** Stores the payment of a session, and follows the storage for transfer claims of other tabs until the signal is aborted. */
export function trackStoredPayment(
  order: OrderOptions & { readonly environment: Environment },
  { session, payment, send, signal }: TrackOptions,
) {
  const { reference, clientSecret } = session;
  const { environment } = order;
  const storage = orderStorage(order);
  const initial = storage.find(reference);
  /** The claim last seen in the storage: ignored when it is seen again, even where nothing can be written. */
  let known: string | undefined;

  /** Never in the future: the date may have been set back. */
  const claimEventOf = ({ sentAtMs = environment.date() }: StoredEntry): ClaimEvent => ({
    type: 'claimed',
    atMs: environment.now() - Math.max(0, environment.date() - sentAtMs),
  });

  const stop = environment.observe(['storage', 'visibilitychange', 'pageshow'], () => {
    const stored = storage.find(reference);
    if (!stored || claimKey(stored) === known) return;
    known = claimKey(stored);
    if (known === undefined) send({ type: 'withdrawn' });
    else if (hasClaimFor(stored, payment())) send(claimEventOf(stored));
  });
  signal.addEventListener('abort', stop);

  const endedAtMs = (): number | undefined => {
    if (!isDecided(payment().outcome)) return undefined;
    return storage.find(reference)?.endedAtMs ?? environment.date();
  };

  return {
    restored: initial && hasClaimFor(initial, payment()) ? claimEventOf(initial) : undefined,
    storeEnd(): void {
      const stored = storage.find(reference);
      if (stored && (stored.endedAtMs === undefined) !== (endedAtMs() === undefined))
        storage.save({ reference, clientSecret, endedAtMs: endedAtMs() });
    },
    storeClaim(isClaimed: boolean): void {
      const last = storage.find(reference);
      const { chargedAmount, paymentReference } = payment();
      const sentAfter = isClaimed ? chargedAmount : undefined;
      // A repeated claim keeps its first time.
      const sentAtMs = last?.sentAfter === sentAfter ? last?.sentAtMs : undefined;
      storage.save({
        reference,
        clientSecret,
        endedAtMs: endedAtMs(),
        sentAfter,
        sentFor: isClaimed ? paymentReference : undefined,
        sentAtMs: isClaimed ? (sentAtMs ?? environment.date()) : undefined,
      });
      known = claimKey(storage.find(reference));
    },
  };
}

const claimKey = ({ sentAfter, sentFor }: Partial<StoredEntry> = {}): string | undefined =>
  sentAfter === undefined ? undefined : `${sentAfter} ${sentFor}`;

function hasClaimFor({ sentAfter, sentFor }: StoredEntry, view: PaymentView): boolean {
  return sentAfter === view.chargedAmount && sentFor === view.paymentReference;
}
