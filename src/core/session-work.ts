import { CheckoutError, type PaymentView, type Session } from '../contract/index.ts';
import { backOffMs } from './back-off.ts';
import type { Environment } from './environment.ts';
import type { Effect, Event } from './machine.ts';
import { pause } from './pause.ts';
import { type Answer, createAsk, createSession } from './session-client.ts';

export type SessionWorkOptions = {
  readonly environment: Environment;
  readonly baseUrl: string;
  /** JSON for the merchant's `createPayment`. */
  readonly body: string;
  /** How long to go on looking after expiry, in milliseconds; ten minutes when left out. */
  readonly lateWatchMs?: number | undefined;
};

/** The part of a checkout that talks to the server: one thing at a time, and nothing after `stop`. */
export type SessionWork = {
  readonly create: (effect: Effect & { type: 'createSession' }) => Promise<void>;
  /** Watches a payment; without a view, the first answer tells what there is. */
  readonly watch: (session: Session, view?: PaymentView) => Promise<void>;
  /** Looks at the payment of the last session at once, also when its watch is over. */
  readonly lookNow: () => void;
  readonly stop: () => void;
};

type Watching = typeof import('./watch.ts');

/** When the code that watches is asked for again, once. */
const reloadMs = 3000;

/** `send` gets what happened, and the service's clock (milliseconds since the epoch) where the answer told it. */
export function createSessionWork(
  { environment, baseUrl, body, lateWatchMs = 600_000 }: SessionWorkOptions,
  send: (event: Event, serviceTimeMs?: number) => void,
): SessionWork {
  const ask = createAsk(environment, baseUrl);
  let work = new AbortController();
  let session: Session | undefined;
  let etag: string | undefined;
  /** There is a watch, or one on its way. */
  let lookNow: (() => void) | undefined;

  const takeAnswer = (answer: Answer<PaymentView | undefined>): void => {
    etag = answer.etag ?? etag;
    send(
      answer.value ? { type: 'viewReceived', view: answer.value } : { type: 'unchanged' },
      answer.serviceTimeMs,
    );
  };

  const watch = async (watched: Session, view?: PaymentView): Promise<void> => {
    const { signal } = work;
    session = watched;
    lookNow = () => {};
    try {
      const code = await loadWatching(environment, signal);
      if (signal.aborted) return;
      const started = code.watchPayment({
        environment,
        retrieve: (look) => code.retrieveView(ask, watched, look),
        outcome: view?.outcome ?? 'pending',
        etag,
        lateWatchMs,
        onAnswer: takeAnswer,
        onError: (error) => send({ type: 'lookFailed', error }),
        signal,
      });
      lookNow = started.lookNow;
      await started.done;
    } catch (cause) {
      if (signal.aborted) return;
      const error = new CheckoutError('load_failed', 'A file of the checkout is missing.', { cause });
      send({ type: 'lookFailed', error });
    }
    if (!signal.aborted) lookNow = undefined;
  };

  return {
    async create({ failures, after }) {
      const { signal } = work;
      if (after) await pause(environment, signal, backOffMs(failures, environment.random, after));
      if (signal.aborted) return;
      try {
        const answer = await createSession(ask, body, signal);
        if (signal.aborted) return;
        etag = answer.etag;
        send({ type: 'sessionReceived', session: answer.value }, answer.serviceTimeMs);
      } catch (error) {
        if (!signal.aborted) send({ type: 'createFailed', error: error as CheckoutError });
      }
    },
    watch,
    lookNow() {
      if (lookNow) lookNow();
      else if (session) {
        // Without an ETag the server answers at once, whatever it has.
        etag = undefined;
        void watch(session);
      }
    },
    stop() {
      work.abort();
      work = new AbortController();
      lookNow = session = etag = undefined;
    },
  };
}

async function loadWatching(environment: Environment, signal: AbortSignal): Promise<Watching> {
  for (;;) {
    try {
      return await import('./watch.ts');
    } catch (cause) {
      await pause(environment, signal, reloadMs);
      if (signal.aborted) throw cause;
    }
  }
}
