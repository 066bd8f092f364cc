import type { PaymentView, Session } from '../../contract/index.ts';
import type { Event } from '../machine/machine.ts';
import { type OrderOptions, storageOf } from './order.ts';
import type { StoredSession } from './stored-session.ts';

/** What the shopper has said of a payment's money: that it is sent, or not after all. */
export type Said = {
  /** It was said before that the money is sent, and no other has come since. */
  readonly before: SentEvent | undefined;
  /** Keeps it for a reload, and for the site's other tabs. */
  readonly remember: (isSent: boolean) => void;
};

type SentEvent = Event & { readonly type: 'sent' };

export type SaidOptions = {
  readonly session: Session;
  /** What is known of the payment by now. */
  readonly view: () => PaymentView;
  /** Hears what the shopper says in another tab. */
  readonly send: (event: Event) => void;
  readonly signal: AbortSignal;
};

/**
 * Keeps what the shopper says, and listens to what is said in other tabs until the signal is aborted: it is in the storage. A tab
 * that was frozen has missed the event, and reads when it is shown again. What was said of another payment of the order, or of
 * another amount that had come, says nothing here.
 */
export function keepSaid(order: OrderOptions, { session, view, send, signal }: SaidOptions): Said {
  const { reference, clientSecret } = session;
  const { environment } = order;
  const storage = storageOf(order);
  const read = (): StoredSession | undefined => {
    const stored = storage.read();
    return stored?.reference === reference ? stored : undefined;
  };
  const first = read();
  /** What the storage was last seen to say: the same again is no news, also where nothing can be written. */
  let known: string | undefined;

  /** The date may have been set back since. */
  const sentOf = ({ sentAtMs = environment.date() }: StoredSession): SentEvent => ({
    type: 'sent',
    atMs: environment.now() - Math.max(0, environment.date() - sentAtMs),
  });

  const stop = environment.observe(['storage', 'visibilitychange', 'pageshow'], () => {
    const now = read();
    if (!now || claimOf(now) === known) return;
    known = claimOf(now);
    if (known === undefined) send({ type: 'notSent' });
    else if (isSaidOf(now, view())) send(sentOf(now));
  });
  signal.addEventListener('abort', stop);

  return {
    before: first && isSaidOf(first, session) ? sentOf(first) : undefined,
    remember(isSent) {
      const last = read();
      const { chargedAmount, paymentReference } = view();
      const sentAfter = isSent ? chargedAmount : undefined;
      // The same again, after a reload, was said when it was said first.
      const saidAtMs = last?.sentAfter === sentAfter ? last?.sentAtMs : undefined;
      storage.write({
        reference,
        clientSecret,
        sentAfter,
        sentFor: isSent ? paymentReference : undefined,
        sentAtMs: isSent ? (saidAtMs ?? environment.date()) : undefined,
      });
      known = claimOf(storage.read());
    },
  };
}

/** What a stored session says of the money, in one text; undefined where it says nothing. */
const claimOf = ({ sentAfter, sentFor }: Partial<StoredSession> = {}): string | undefined =>
  sentAfter === undefined ? undefined : `${sentAfter} ${sentFor}`;

/** Whether the shopper has said of the payment in this view that the (rest of the) money is sent, and none has come since. */
export function isSaidOf({ sentAfter, sentFor }: StoredSession, view: PaymentView): boolean {
  return sentAfter === view.chargedAmount && sentFor === view.paymentReference;
}
