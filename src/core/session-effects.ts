import type { CheckoutError, Session } from '../contract/index.ts';
import { backOffMs } from './machine/back-off.ts';
import type { Effect, Event } from './machine/machine.ts';
import { createNetwork } from './page/network.ts';
import { wait } from './page/wait.ts';
import { type WatchedSession, watchSession } from './polling/watch-session.ts';
import type { OrderOptions } from './session/order-storage.ts';
import { resumeSession } from './session/resume.ts';
import { findReturnedSession } from './session/returned-session.ts';
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

/** The effects that talk to the server: one at a time, and none after `stop`. */
export type SessionEffects = {
  readonly create: (effect: Effect & { type: 'createSession' }) => Promise<void>;
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
  let running = new AbortController();
  let watched: WatchedSession | undefined;
  let etag: string | undefined;
  /** Only the first session of a checkout can be a stored one. */
  let canResume = true;
  const network = createNetwork(environment, (type) => send({ type }));

  const backOff = (signal: AbortSignal, failures: number, error: CheckoutError): Promise<void> =>
    network.retryOnline(signal, (untilOnline) =>
      wait(
        environment,
        // The server's `Retry-After` holds even when the network comes back.
        error.retryAfterSeconds ? signal : untilOnline,
        backOffMs(failures, environment.random, error),
      ),
    );

  const open = (signal: AbortSignal, failures: number): Promise<CheckoutResponse<Session>> => {
    const early = options.takeEarly?.();
    const create = () => client.create({ body, signal, early });
    // An early request means that nothing is stored.
    if (early || !canResume) return create();
    const shared = { order: options, client, signal, send };
    if (options.returned) return findReturnedSession({ ...shared, ...options.returned });
    return resumeSession({ ...shared, failures, create });
  };

  return {
    async create({ failures, after }) {
      const { signal } = running;
      network.observe();
      if (after) await backOff(signal, failures, after);
      if (signal.aborted) return;
      try {
        const response = await network.retryOnline(signal, (untilOnline) => open(untilOnline, failures));
        if (signal.aborted) return;
        etag = response.etag;
        const { value: session, serviceTimeMs, arrivedAtMs } = response;
        send({ type: 'sessionReceived', session }, serviceTimeMs, arrivedAtMs);
      } catch (error) {
        if (!signal.aborted) send({ type: 'createFailed', error: error as CheckoutError });
      }
    },
    async watch(session) {
      const { signal } = running;
      canResume = false;
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
