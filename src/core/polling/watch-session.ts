import type { CheckoutError, PaymentView, Session } from '../../contract/index.ts';
import { routes } from '../../contract/index.ts';
import type { Event } from '../machine/machine.ts';
import { type OrderOptions, orderStorage } from '../session/order-storage.ts';
import type { SessionClient } from '../session/session-client.ts';
import { trackTransferClaim } from '../session/transfer-claim.ts';
import type { ViewResponse } from './check-payment.ts';
import { pollPayment } from './poller.ts';

/** Separates tabs with different versions of the widget: older ones share views with fewer fields. */
const groupVersion = '#2';

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
  const { environment, baseUrl } = order;
  const { client, session, etag, lateWatchMs, send, signal } = options;
  const { reference, clientSecret } = session;
  let view: PaymentView = session;

  const onResponse = ({ value, serviceTimeMs }: ViewResponse): void => {
    view = value ?? view;
    send(value ? { type: 'viewReceived', view: value } : { type: 'unchanged' }, serviceTimeMs);
  };

  const onError = (error: CheckoutError): void => {
    if (error.code === 'session_unauthorized') orderStorage(order).remove(clientSecret);
    send({ type: 'checkFailed', error });
  };

  const claim = trackTransferClaim(order, { session, view: () => view, send, signal });
  claim.store(!!claim.restored);
  const { checkNow } = pollPayment({
    name: baseUrl + routes.session(reference) + groupVersion,
    retrieve: (retrieveOptions) => client.retrieve(session, retrieveOptions),
    view: session,
    environment,
    reference,
    etag,
    lateWatchMs,
    onResponse,
    onError,
    signal,
  });
  if (claim.restored) send(claim.restored);

  return { checkNow, storeClaim: claim.store };
}
