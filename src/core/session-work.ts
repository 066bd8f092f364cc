import type { CheckoutError, PaymentView, Session } from '../contract/index.ts';
import { backOffMs } from './back-off.ts';
import type { Environment } from './environment.ts';
import type { Effect, Event } from './machine.ts';
import { pause } from './pause.ts';
import { type Watch, watchPayment } from './poller.ts';
import { type Answer, createSessionClient } from './session-client.ts';

export type SessionWorkOptions = {
  readonly environment: Environment;
  readonly baseUrl: string;
  readonly body?: unknown;
  /** How long to go on looking after expiry, in milliseconds; ten minutes when left out. */
  readonly lateWatchMs?: number | undefined;
};

/** The part of a checkout that talks to the server: one thing at a time, and nothing after `stop`. */
export type SessionWork = {
  readonly create: (effect: Effect & { type: 'createSession' }) => Promise<void>;
  /** Watches a payment; without a view, the first answer tells what there is. */
  readonly watch: (session: Session, view?: PaymentView) => void;
  /** Looks at the payment of the last session at once, also when its watch is over. */
  readonly lookNow: () => void;
  readonly stop: () => void;
};

/** `send` gets what happened, and the service's clock (milliseconds since the epoch) where the answer told it. */
export function createSessionWork(
  { environment, baseUrl, body, lateWatchMs = 600_000 }: SessionWorkOptions,
  send: (event: Event, serviceTimeMs?: number) => void,
): SessionWork {
  const client = createSessionClient(environment, baseUrl);
  let work = new AbortController();
  let session: Session | undefined;
  let etag: string | undefined;
  let current: Watch | undefined;

  const takeAnswer = (answer: Answer<PaymentView | undefined>): void => {
    etag = answer.etag ?? etag;
    const event: Event = answer.value ? { type: 'viewReceived', view: answer.value } : { type: 'unchanged' };
    send(event, answer.serviceTimeMs);
  };

  const watch = (watched: Session, view?: PaymentView): void => {
    session = watched;
    const started = watchPayment({
      environment,
      retrieve: (look) => client.retrieve(watched, look),
      outcome: view?.outcome ?? 'pending',
      etag,
      lateWatchMs,
      onAnswer: takeAnswer,
      onError: (error) => send({ type: 'lookFailed', error }),
      signal: work.signal,
    });
    current = started;
    void started.done.then(() => {
      if (current === started) current = undefined;
    });
  };

  return {
    async create({ failures, after }) {
      const { signal } = work;
      if (after) await pause(environment, signal, backOffMs(failures, environment.random, after));
      if (signal.aborted) return;
      try {
        const answer = await client.create(body, signal);
        if (signal.aborted) return;
        etag = answer.etag;
        send({ type: 'sessionReceived', session: answer.value }, answer.serviceTimeMs);
      } catch (error) {
        if (!signal.aborted) send({ type: 'createFailed', error: error as CheckoutError });
      }
    },
    watch,
    lookNow() {
      if (current) current.lookNow();
      else if (session) watch(session);
    },
    stop() {
      work.abort();
      work = new AbortController();
      current = undefined;
      session = undefined;
      etag = undefined;
    },
  };
}
