import type { Session } from '../contract/index.ts';
import type { Event } from './machine.ts';
import { type OrderOptions, storageOf } from './order.ts';

/** What the shopper has said of a payment's money: that it is sent, or not after all. */
export type Said = {
  /** It was said before that the money is sent, and no other has come since. */
  readonly wasSent: boolean;
  /** Keeps it for a reload, and for the site's other tabs. */
  readonly remember: (isSent: boolean) => void;
};

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
  const storage = storageOf(order);
  const first = storage.read();
  /** What the storage was last seen to say: the same again is no news, also where nothing can be written. */
  let known: number | undefined;

  const stop = order.environment.observe(['storage', 'visibilitychange', 'pageshow'], () => {
    const now = storage.read();
    if (now?.reference !== reference || now.sentAfter === known) return;
    known = now.sentAfter;
    if (known === undefined) send({ type: 'notSent' });
    else if (known === charged()) send({ type: 'sent' });
  });
  signal.addEventListener('abort', stop);

  return {
    wasSent: first?.reference === reference && first.sentAfter === session.chargedAmount,
    remember(isSent) {
      storage.write({ reference, clientSecret, sentAfter: isSent ? charged() : undefined });
      known = storage.read()?.sentAfter;
    },
  };
}
