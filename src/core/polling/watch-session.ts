import type { PaymentView, Session } from '../../contract/index.ts';
import type { Event } from '../machine/machine.ts';
import type { OrderOptions } from '../session/order-storage.ts';
import type { SessionClient } from '../session/session-client.ts';
import { trackStoredPayment } from '../session/track-stored-payment.ts';
import { pollPayment } from './poller.ts';

export type WatchOptions = {
  readonly client: SessionClient;
  readonly session: Session;
  readonly etag: string | undefined;
  readonly lateWatchMs: number;
  readonly send: (event: Event, serviceTimeMs?: number) => void;
  readonly signal: AbortSignal;
};

export type WatchedSession = {
  /** Checks the payment at once. */
  readonly checkNow: () => void;
  /** Stores the transfer claim or its withdrawal. */
  readonly storeClaim: (isClaimed: boolean) => void;
};

/** Stores a session for a reload, restores its transfer claim, and polls its payment until the signal is aborted. */
export function watchSession(order: OrderOptions, options: WatchOptions): WatchedSession {
  const { client, session, etag, lateWatchMs, send, signal } = options;
  let view: PaymentView = session;

  const stored = trackStoredPayment(order, { session, view: () => view, send, signal });
  stored.storeClaim(!!stored.restored);
  const { checkNow } = pollPayment({
    environment: order.environment,
    retrieve: (retrieveOptions) => client.retrieve(session, retrieveOptions),
    view: session,
    etag,
    lateWatchMs,
    onResponse({ value, serviceTimeMs }) {
      view = value ?? view;
      stored.storeEnd();
      send(value ? { type: 'viewReceived', view: value } : { type: 'unchanged' }, serviceTimeMs);
    },
    onError: (error) => send({ type: 'checkFailed', error }),
    signal,
  });
  if (stored.restored) send(stored.restored);

  return { checkNow, storeClaim: stored.storeClaim };
}
