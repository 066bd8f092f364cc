import type { CheckoutError, Session } from '../contract/index.ts';
import { backOffMs } from './machine/back-off.ts';
import type { Effect, Event } from './machine/machine.ts';
import type { Environment } from './page/environment.ts';
import { createNetwork } from './page/network.ts';
import { pause } from './page/pause.ts';
import { resumeOrder, type WatchedSession, watchSession } from './polling/watch-session.ts';
import { findReturned } from './session/returned-link.ts';
import { type Answer, createAsk, createSession, type ServerOptions } from './session/session-client.ts';
import type { EarlyRequest } from './session/session-request.ts';

export type SessionWorkOptions = ServerOptions & {
  /** JSON for the merchant's `createPayment`. */
  readonly body: string;
  /** Names the order where the body does not: a reload finds its payment, and another order never does. */
  readonly orderKey?: string | undefined;
  /**
   * The shopper comes back from paying elsewhere, to a page whose address may name the `reference`: the payment is looked
   * for, and none is made.
   */
  readonly returned?: { readonly reference: string | undefined } | undefined;
  /** Gives, once, a request for this session that was sent before the checkout was there. */
  readonly takeEarlyRequest?: (() => EarlyRequest | undefined) | undefined;
  /** How long to look often after expiry, in milliseconds; ten minutes when left out. Then it looks once a minute. */
  readonly lateWatchMs?: number | undefined;
};

/** The part of a checkout that talks to the server: one thing at a time, and nothing after `stop`. */
export type SessionWork = {
  readonly create: (effect: Effect & { type: 'createSession' }) => Promise<void>;
  /** Keeps a session for a reload, and watches its payment. */
  readonly watch: (session: Session) => Promise<void>;
  /** Looks at the payment that is watched at once. */
  readonly lookNow: () => void;
  /** Keeps with the stored session what the shopper has said: that the money is sent, or not after all. */
  readonly rememberSent: (isSent: boolean) => void;
  readonly stop: () => void;
};

/**
 * `send` gets what happened, the service's clock (milliseconds since the epoch) where the answer told it, and when that was on the
 * monotonic clock where that was not now.
 */
export function createSessionWork(
  options: SessionWorkOptions,
  send: (event: Event, serviceTimeMs?: number, nowMs?: number) => void,
): SessionWork {
  const { environment, body, lateWatchMs = 600_000 } = options;
  const ask = createAsk(options);
  let work = new AbortController();
  let watched: WatchedSession | undefined;
  let etag: string | undefined;
  /** Only the first session of a checkout can be one that was there before. */
  let mayResume = true;
  const network = createNetwork(environment, (type) => send({ type }));

  /** Never sooner than the server has asked for. */
  const backOff = (signal: AbortSignal, failures: number, error: CheckoutError): Promise<void> =>
    network.untilDone(signal, (cut) =>
      pause(
        environment,
        error.retryAfterSeconds ? signal : cut,
        backOffMs(failures, environment.random, error),
      ),
    );

  const open = (signal: AbortSignal, failures: number): Promise<Answer<Session>> => {
    const post = (sent?: EarlyRequest): Promise<Answer<Session>> => createSession(ask, body, signal, sent);
    const sent = options.takeEarlyRequest?.();
    // It was sent because nothing was stored; somebody has to read the response.
    if (sent || !mayResume) return post(sent);
    if (options.returned) return findReturned(options, { ask, signal, send, ...options.returned });
    return isAnyStored(environment) ? resumeOrder(options, { ask, failures, signal, post, send }) : post();
  };

  return {
    async create({ failures, after }) {
      const { signal } = work;
      network.observe();
      if (after) await backOff(signal, failures, after);
      if (signal.aborted) return;
      try {
        const answer = await network.untilDone(signal, (cut) => open(cut, failures));
        if (signal.aborted) return;
        etag = answer.etag;
        const { value: session, serviceTimeMs, arrivedAtMs } = answer;
        send({ type: 'sessionReceived', session }, serviceTimeMs, arrivedAtMs);
      } catch (error) {
        if (!signal.aborted) send({ type: 'createFailed', error: error as CheckoutError });
      }
    },
    async watch(session) {
      const { signal } = work;
      mayResume = false;
      network.observe();
      // The page may take everything away in its first callback, which is called in this task.
      await undefined;
      if (signal.aborted) return;
      watched = watchSession(options, { ask, session, etag, lateWatchMs, send, signal });
    },
    lookNow: () => watched?.lookNow(),
    rememberSent: (isSent) => watched?.rememberSent(isSent),
    stop() {
      work.abort();
      work = new AbortController();
      network.stop();
      watched = etag = undefined;
    },
  };
}

function isAnyStored(environment: Environment): boolean {
  try {
    return !!environment.readStored();
  } catch {
    return false;
  }
}
