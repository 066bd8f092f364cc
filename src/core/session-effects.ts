import type { CheckoutError, PaymentView, Session, StoredPayment } from '../contract/index.ts';
import { backOffMs, canRetry } from './back-off.ts';
import { trackStoredPayment } from './claims.ts';
import { type Environment, pause } from './environment.ts';
import type { CheckoutResponse, EarlyRequest, ServerOptions } from './http.ts';
import type { Effect, Event } from './machine.ts';
import { pollPayment } from './poll.ts';
import { createSessionClient, findReturned, retrieveReturned, type SessionClient } from './session-client.ts';
import { type OrderOptions, orderStorage, type StoredEntry, toStoredReference } from './storage.ts';

export type ResponseTimes = Pick<CheckoutResponse<unknown>, 'serviceTimeMs' | 'arrivedAtMs'>;

export type SessionOptions = OrderOptions &
  ServerOptions & {
    readonly environment: Environment;
    /** The shopper returns from a payment page, to a URL that may name the `reference`: finds the payment, and never creates one. */
    readonly returned?: { readonly reference: string | undefined } | undefined;
    readonly takeEarly?: (() => EarlyRequest | undefined) | undefined;
  };

export type EffectTarget = {
  readonly send: (event: Event, times?: ResponseTimes) => void;
  /** Returns the payment that the page shows. Called only while a session is watched. */
  readonly payment: () => PaymentView;
};

type CreateEffect = Effect & { readonly type: 'createSession' };
type WatchEffect = Effect & { readonly type: 'watch' };

/** Creates the effects of a session: its requests, one at a time, and its storage. `stop` ends what runs; `create` or `watch` starts again. */
export function createSessionEffects(options: SessionOptions, target: EffectTarget) {
  const { environment, body } = options;
  const { send } = target;
  const client = createSessionClient(options);
  const storage = orderStorage(options);
  let running = new AbortController();
  let watched: WatchedPayment | undefined;
  /** The last session of this checkout, even if nothing can be stored. */
  let last: StoredPayment | undefined;
  let stopObserving: (() => void) | undefined;

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
    async create(effect: CreateEffect): Promise<void> {
      const { signal } = running;
      stopObserving ??= observeNetwork(environment, send);
      if (effect.after) await backOff(environment, signal, effect.failures, effect.after);
      if (signal.aborted) return;
      try {
        const response = await retryOnline(environment, signal, (online) => open(online, effect));
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
    async watch({ session, etag }: WatchEffect): Promise<void> {
      const { signal } = running;
      const { reference, clientSecret } = session;
      last = { reference, clientSecret };
      stopObserving ??= observeNetwork(environment, send);
      // The page may stop the checkout in its first callback, which runs in this task.
      await undefined;
      if (signal.aborted) return;
      watched = watchPayment(options, target, { client, session, etag, signal });
    },
    checkNow: (): void => watched?.checkNow(),
    storeClaim: (isClaimed: boolean): void => watched?.storeClaim(isClaimed),
    stop(): void {
      running.abort();
      running = new AbortController();
      stopObserving?.();
      stopObserving = undefined;
      watched = undefined;
    },
  };
}

/** Sends the device's view of its network, which is only a hint: requests are sent anyway. Returns a function that stops. */
function observeNetwork(environment: Environment, send: EffectTarget['send']): () => void {
  const stop = environment.observe(['online', 'offline'], (type) =>
    send({ type: type === 'offline' ? 'wentOffline' : 'cameOnline' }),
  );
  if (environment.isOffline()) send({ type: 'wentOffline' });
  return stop;
}

type WatchedPayment = ReturnType<typeof watchPayment>;
type WatchOptions = Pick<WatchEffect, 'session' | 'etag'> & {
  readonly client: SessionClient;
  readonly signal: AbortSignal;
};

function watchPayment(
  options: SessionOptions,
  { send, payment }: EffectTarget,
  { client, session, etag, signal }: WatchOptions,
) {
  const { environment } = options;
  const stored = trackStoredPayment(options, { session, payment, send, signal });
  stored.storeClaim(!!stored.restored);
  const { checkNow } = pollPayment({
    environment,
    etag,
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

async function backOff(
  environment: Environment,
  signal: AbortSignal,
  failures: number,
  error: CheckoutError,
): Promise<void> {
  // The server's `Retry-After` holds even when the network comes back.
  const events = error.retryAfterSeconds ? [] : ['online'];
  await pause(environment, signal, backOffMs(failures, environment.random, error), events);
  while (environment.isHidden() && !signal.aborted)
    await pause(environment, signal, Number.POSITIVE_INFINITY, ['visibilitychange', 'pageshow']);
}

async function retryOnline<T>(
  environment: Environment,
  signal: AbortSignal,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  for (;;) {
    const online = new AbortController();
    const stop = environment.observe(['online'], () => online.abort());
    try {
      return await run(AbortSignal.any([signal, online.signal]));
    } catch (error) {
      if (signal.aborted || !online.signal.aborted) throw error;
    } finally {
      stop();
    }
  }
}
