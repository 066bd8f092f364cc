import type { CheckoutError, Session, StoredPayment } from '../contract/index.ts';
import { backOffMs, canKeepPolling } from './machine/back-off.ts';
import type { Effect, Event } from './machine/machine.ts';
import type { Environment } from './page/environment.ts';
import { createNetwork, type Network } from './page/network.ts';
import { untilVisible, wait } from './page/wait.ts';
import { type WatchedSession, watchSession } from './polling/watch-session.ts';
import { type OrderOptions, orderStorage } from './session/order-storage.ts';
import { type StoredEntry, toStoredReference } from './session/payment-storage.ts';
import { findReturned, findReturnedSession } from './session/returned-session.ts';
import type { CheckoutResponse } from './session/send-request.ts';
import { createSessionClient } from './session/session-client.ts';
import type { EarlyRequest } from './session/session-request.ts';

/** `body` is JSON for the merchant's `createPayment`; `orderKey` identifies the order where the body does not. */
export type SessionOptions = OrderOptions & {
  /** The shopper returns from a payment page, to a URL that may name the `reference`: finds the payment, and never creates one. */
  readonly returned?: { readonly reference: string | undefined } | undefined;
  /** Returns, once, the request for this session that was sent early. */
  readonly takeEarly?: (() => EarlyRequest | undefined) | undefined;
  /** How long to poll often after expiry, in milliseconds; ten minutes when left out. Then it polls once a minute. */
  readonly lateWatchMs?: number | undefined;
};

type CreateEffect = Effect & { readonly type: 'createSession' };

/** The effects that talk to the server: one at a time, and none after `stop`. */
export type SessionEffects = {
  readonly create: (effect: CreateEffect) => Promise<void>;
  /** Stores a session for a reload, and polls its payment. */
  readonly watch: (session: Session) => Promise<void>;
  readonly checkNow: () => void;
  readonly storeClaim: (isClaimed: boolean) => void;
  readonly stop: () => void;
};

/**
 * Creates the effects of one checkout. `send` receives their events, with the service's clock where a response contained it, and the time
 * on the monotonic clock where that was earlier.
 */
export function createSessionEffects(
  options: SessionOptions,
  send: (event: Event, serviceTimeMs?: number, nowMs?: number) => void,
): SessionEffects {
  const { environment, body, lateWatchMs = 600_000 } = options;
  const client = createSessionClient(options);
  const storage = orderStorage(options);
  let running = new AbortController();
  let watched: WatchedSession | undefined;
  let etag: string | undefined;
  /** The last session of this checkout, where nothing can be stored, too. */
  let last: StoredPayment | undefined;
  const network = createNetwork(environment, (type) => send({ type }));

  const open = (signal: AbortSignal, { preference }: CreateEffect): Promise<CheckoutResponse<Session>> => {
    const early = options.takeEarly?.();
    if (options.returned && !last)
      return findReturnedSession({ order: options, client, signal, send, ...options.returned });
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
        etag = response.etag;
        const { value: session, serviceTimeMs, arrivedAtMs } = response;
        send({ type: 'sessionReceived', session }, serviceTimeMs, arrivedAtMs);
      } catch (cause) {
        if (signal.aborted) return;
        const error = cause as CheckoutError;
        const stored = canKeepPolling(error) ? findNamed(error) : undefined;
        send({ type: 'createFailed', error, stored: stored && toStoredReference(stored) });
      }
    },
    async watch(session) {
      const { signal } = running;
      const { reference, clientSecret } = session;
      last = { reference, clientSecret };
      network.observe();
      // The page may stop the checkout in its first callback, which runs in this task.
      await undefined;
      if (signal.aborted) return;
      watched = watchSession(options, { client, session, etag, lateWatchMs, send, signal });
    },
    checkNow: () => watched?.checkNow(),
    storeClaim: (isClaimed) => watched?.storeClaim(isClaimed),
    stop() {
      running.abort();
      running = new AbortController();
      network.stop();
      watched = etag = undefined;
    },
  };
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
