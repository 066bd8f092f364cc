import type { CheckoutError, PaymentView, Session, StoredPayment } from '../contract/index.ts';
import type { Environment } from './connection/environment.ts';
import { createNetwork, type Network } from './connection/network.ts';
import { pollPayment } from './connection/poller.ts';
import type { CheckoutResponse, ResponseTimes } from './connection/read-response.ts';
import type { EarlyRequest } from './connection/request-init.ts';
import type { ServerOptions } from './connection/send-request.ts';
import { untilVisible, wait } from './connection/wait.ts';
import { backOffMs, canRetry } from './machine/back-off.ts';
import type { Effect, Event } from './machine/machine.ts';
import { type OrderOptions, orderStorage } from './session/order-storage.ts';
import { type StoredEntry, toStoredReference } from './session/payment-storage.ts';
import { findReturned, retrieveReturned } from './session/returned-session.ts';
import { createSessionClient, type SessionClient } from './session/session-client.ts';
import { trackStoredPayment } from './session/track-stored-payment.ts';

/** `body` is JSON for the merchant's `getOrder`; `orderKey` identifies the order where the body does not. */
export type SessionOptions = OrderOptions &
  ServerOptions & {
    readonly environment: Environment;
    /** The shopper returns from a payment page, to a URL that may name the `reference`: finds the payment, and never creates one. */
    readonly returned?: { readonly reference: string | undefined } | undefined;
    /** Returns, once, the request for this session that was sent early. */
    readonly takeEarly?: (() => EarlyRequest | undefined) | undefined;
    /** How long to poll often after expiry, in milliseconds; ten minutes when left out. Then it polls once a minute. */
    readonly lateWatchMs?: number | undefined;
  };

/** The checkout for which the effects run. */
export type EffectTarget = {
  /** Receives the events, with the times of the response that they are from. */
  readonly send: (event: Event, times?: ResponseTimes) => void;
  /** Returns the payment that the page shows. Called only while a session is watched. */
  readonly payment: () => PaymentView;
};

type CreateEffect = Effect & { readonly type: 'createSession' };
type WatchEffect = Effect & { readonly type: 'watch' };

/** The effects of a session: its requests, one at a time, and its storage. `stop` ends what runs; `create` or `watch` starts again. */
export type SessionEffects = {
  readonly create: (effect: CreateEffect) => Promise<void>;
  /** Stores a session for a reload, restores its transfer claim, and polls its payment. */
  readonly watch: (effect: WatchEffect) => Promise<void>;
  readonly checkNow: () => void;
  readonly storeClaim: (isClaimed: boolean) => void;
  readonly stop: () => void;
};

export function createSessionEffects(options: SessionOptions, target: EffectTarget): SessionEffects {
  const { environment, body } = options;
  const { send } = target;
  const client = createSessionClient(options);
  const storage = orderStorage(options);
  let running = new AbortController();
  let watched: WatchedPayment | undefined;
  /** The last session of this checkout, where nothing can be stored, too. */
  let last: StoredPayment | undefined;
  const network = createNetwork(environment, (type) => send({ type }));

  const open = (signal: AbortSignal, { preference }: CreateEffect): Promise<CheckoutResponse<Session>> => {
    const early = options.takeEarly?.();
    if (options.returned && !last) {
      const stored = findReturned(storage, options.returned.reference);
      if (stored) send({ type: 'storedFound', stored: toStoredReference(stored) });
      return retrieveReturned(client, stored, { body, signal });
    }
    const others = storage.list().filter(({ reference }) => reference !== last?.reference);
    return client.create({ body, signal, early, preference, stored: last ? [last, ...others] : others });
  };

  /** Returns the stored payment that the page names. Without its URL, the server decides where it can be reached. */
  const findNamed = ({ code }: CheckoutError): StoredEntry | undefined => {
    if (options.returned && !last) return findReturned(storage, options.returned.reference);
    return code === 'network_error' ? storage.findOrder() : undefined;
  };

  return {
    async create(effect) {
      const { signal } = running;
      network.observe();
      if (effect.after) await backOff({ environment, network, signal }, effect.failures, effect.after);
      if (signal.aborted) return;
      try {
        const response = await network.retryOnline(signal, (untilOnline) => open(untilOnline, effect));
        if (signal.aborted) return;
        const { value: session, etag } = response;
        send({ type: 'sessionReceived', session, etag }, response);
      } catch (cause) {
        if (signal.aborted) return;
        const error = cause as CheckoutError;
        const stored = canRetry(error) ? findNamed(error) : undefined;
        send({ type: 'createFailed', error, stored: stored && toStoredReference(stored) });
      }
    },
    async watch({ session, etag }) {
      const { signal } = running;
      const { reference, clientSecret } = session;
      last = { reference, clientSecret };
      network.observe();
      // The page may stop the checkout in its first callback, which runs in this task.
      await undefined;
      if (signal.aborted) return;
      watched = watchPayment(options, target, { client, session, etag, signal });
    },
    checkNow: () => watched?.checkNow(),
    storeClaim: (isClaimed) => watched?.storeClaim(isClaimed),
    stop() {
      running.abort();
      running = new AbortController();
      network.stop();
      watched = undefined;
    },
  };
}

type WatchedPayment = Pick<SessionEffects, 'checkNow' | 'storeClaim'>;
type WatchOptions = Pick<WatchEffect, 'session' | 'etag'> & {
  readonly client: SessionClient;
  readonly signal: AbortSignal;
};

/** Stores a session, restores its transfer claim, and polls its payment until the signal is aborted. */
function watchPayment(
  options: SessionOptions,
  { send, payment }: EffectTarget,
  { client, session, etag, signal }: WatchOptions,
): WatchedPayment {
  const { environment, lateWatchMs = 600_000 } = options;
  const stored = trackStoredPayment(options, { session, payment, send, signal });
  stored.storeClaim(!!stored.restored);
  const { checkNow } = pollPayment({
    environment,
    etag,
    lateWatchMs,
    signal,
    retrieve: (retrieveOptions) => client.retrieve(session, retrieveOptions),
    onResponse(response) {
      const { value: view } = response;
      send(view ? { type: 'viewReceived', view } : { type: 'unchanged' }, response);
      stored.storeEnd();
      return payment().outcome;
    },
    onError: (error) => send({ type: 'checkFailed', error }),
  });
  if (stored.restored) send(stored.restored);
  return { checkNow, storeClaim: stored.storeClaim };
}

type BackOffOptions = {
  readonly environment: Environment;
  readonly network: Network;
  readonly signal: AbortSignal;
};

/** Waits before a request is repeated, and while nobody can see the page. */
async function backOff(
  { environment, network, signal }: BackOffOptions,
  failures: number,
  error: CheckoutError,
): Promise<void> {
  await network.retryOnline(signal, (untilOnline) =>
    wait(
      environment,
      // The server's `Retry-After` holds even when the network comes back.
      error.retryAfterSeconds ? signal : untilOnline,
      backOffMs(failures, environment.random, error),
    ),
  );
  await untilVisible(environment, signal);
}
