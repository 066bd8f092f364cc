import { CheckoutError, type Session } from '../contract/index.ts';
import { backOffMs } from './back-off.ts';
import type { Environment } from './environment.ts';
import type { Effect, Event, Progress } from './machine.ts';
import { createNetwork } from './network.ts';
import { pause } from './pause.ts';
import { type Answer, createAsk, createSession, type ServerOptions } from './session-client.ts';
import type { WatchedSession } from './watch-session.ts';

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
  /** How long to look often after expiry, in milliseconds; ten minutes when left out. Then it looks once a minute. */
  readonly lateWatchMs?: number | undefined;
};

/** The part of a checkout that talks to the server: one thing at a time, and nothing after `stop`. */
export type SessionWork = {
  readonly create: (effect: Effect & { type: 'createSession' }) => Promise<void>;
  /** Keeps a session for a reload, and watches its payment. */
  readonly watch: (session: Session) => Promise<void>;
  /** What can happen once a payment is shown; undefined until that file is loaded. */
  readonly progress: () => Progress | undefined;
  /** Looks at the payment that is watched at once. */
  readonly lookNow: () => void;
  /** Keeps with the stored session what the shopper has said: that the money is sent, or not after all. */
  readonly rememberSent: (isSent: boolean) => void;
  readonly stop: () => void;
};

type Watching = typeof import('./watch.ts');

/** Attempts at loading a file after which the developer hears of it. */
const quietLoads = 3;

/** `send` gets what happened, and the service's clock (milliseconds since the epoch) where the answer told it. */
export function createSessionWork(
  options: SessionWorkOptions,
  send: (event: Event, serviceTimeMs?: number) => void,
): SessionWork {
  const { environment, body, lateWatchMs = 600_000 } = options;
  const ask = createAsk(options);
  let work = new AbortController();
  let watched: WatchedSession | undefined;
  let progress: Progress | undefined;
  let etag: string | undefined;
  let isSent: boolean | undefined;
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

  const open = async (signal: AbortSignal, failures: number): Promise<Answer<Session>> => {
    const post = (): Promise<Answer<Session>> => createSession(ask, body, signal);
    if (options.returned && mayResume) {
      // Undefined only when nobody waits for it any more, and nobody is told what is thrown then.
      const { findReturned } = (await loadWatching(signal, send, backOff)) as Watching;
      return findReturned(options, { ask, signal, send, ...options.returned });
    }
    const code = mayResume && isAnyStored(environment) && (await import('./watch.ts').catch(() => undefined));
    return code ? code.resumeOrder(options, { ask, failures, signal, post, send }) : post();
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
        send({ type: 'sessionReceived', session: answer.value }, answer.serviceTimeMs);
      } catch (error) {
        if (!signal.aborted) send({ type: 'createFailed', error: error as CheckoutError });
      }
    },
    async watch(session) {
      const { signal } = work;
      mayResume = false;
      network.observe();
      const code = await loadWatching(signal, send, backOff);
      if (!code || signal.aborted) return;
      progress = code.progress;
      watched = code.watchSession(options, { ask, session, etag, lateWatchMs, isSent, send, signal });
    },
    progress: () => progress,
    lookNow: () => watched?.lookNow(),
    rememberSent(next) {
      isSent = next;
      watched?.rememberSent(next);
    },
    stop() {
      work.abort();
      work = new AbortController();
      network.stop();
      watched = etag = isSent = undefined;
    },
  };
}

/** Asks for the file until it comes; `undefined` when nobody wants it any more. */
async function loadWatching(
  signal: AbortSignal,
  send: (event: Event) => void,
  backOff: (signal: AbortSignal, failures: number, error: CheckoutError) => Promise<void>,
): Promise<Watching | undefined> {
  for (let failures = 1; ; failures += 1) {
    try {
      return await import('./watch.ts');
    } catch (cause) {
      if (signal.aborted) return undefined;
      const error = new CheckoutError('load_failed', 'A file of the checkout is missing.', { cause });
      send(failures === quietLoads ? { type: 'lookFailed', error } : { type: 'stillTrying' });
      await backOff(signal, failures, error);
    }
  }
}

function isAnyStored(environment: Environment): boolean {
  try {
    return !!environment.readStored();
  } catch {
    return false;
  }
}
