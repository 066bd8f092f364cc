import type { Session } from '../contract/index.ts';
import type { Event } from './machine.ts';
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
  /** What has arrived by now, in minor units. */
  readonly charged: () => number;
  /** Hears what the shopper says in another tab. */
  readonly send: (event: Event) => void;
  readonly signal: AbortSignal;
};

/**
 * Keeps what the shopper says, and listens to what is said in other tabs until the signal is aborted: it is in the storage. A tab
 * that was frozen has missed the event, and reads when it is shown again. What was said of another amount that had come says
 * nothing here.
 */
export function keepSaid(order: OrderOptions, { session, charged, send, signal }: SaidOptions): Said {
  const { reference, clientSecret } = session;
  const { environment } = order;
  const storage = storageOf(order);
  const read = (): StoredSession | undefined => {
    const stored = storage.read();
    return stored?.reference === reference ? stored : undefined;
  };
  const first = read();
  /** What the storage was last seen to say: the same again is no news, also where nothing can be written. */
  let known: number | undefined;

  /** The date may have been set back since. */
  const sentOf = ({ sentAtMs = environment.date() }: StoredSession): SentEvent => ({
    type: 'sent',
    atMs: environment.now() - Math.max(0, environment.date() - sentAtMs),
  });

  const stop = environment.observe(['storage', 'visibilitychange', 'pageshow'], () => {
    const now = read();
    if (!now || now.sentAfter === known) return;
    known = now.sentAfter;
    if (known === undefined) send({ type: 'notSent' });
    else if (known === charged()) send(sentOf(now));
  });
  signal.addEventListener('abort', stop);

  return {
    before: first?.sentAfter === session.chargedAmount ? sentOf(first) : undefined,
    remember(isSent) {
      const last = read();
      const sentAfter = isSent ? charged() : undefined;
      // The same again, after a reload, was said when it was said first.
      const saidAtMs = last?.sentAfter === sentAfter ? last?.sentAtMs : undefined;
      storage.write({
        reference,
        clientSecret,
        sentAfter,
        sentAtMs: isSent ? (saidAtMs ?? environment.date()) : undefined,
      });
      known = storage.read()?.sentAfter;
    },
  };
}
