import * as v from 'valibot';
import { CheckoutError } from '../../../../src/contract/index.ts';
import type { PlainRequest } from '../../../core/http.ts';
import { wholeNumber } from '../../../core/options.ts';
import type { Log } from '../../telemetry/log.ts';
import { remainingMs } from '../../wait.ts';
import { type ClientKey, clientKeyOfConnection } from './client-key.ts';

const perMinute = (byDefault: number) => v.optional(wholeNumber(1, 1_000_000), byDefault);

/** The requests of one client in a minute. They fit the 5,000 phones that a carrier may put behind one address. */
export const LimitsOptions = v.strictObject({
  /** `POST {base}/sessions` and `POST {base}/links`. Default: 3,000. */
  sessions: perMinute(3000),
  /** `GET {base}/sessions/{reference}`, forged callbacks and wrong operator keys. Default: 60,000. */
  reads: perMinute(60_000),
});
export type LimitsOptions = v.InferInput<typeof LimitsOptions>;
type Limits = v.InferOutput<typeof LimitsOptions>;

export type RequestLimits = ReturnType<typeof createRequestLimits>;

/** Creates the limits per client, counted in this process. */
export function createRequestLimits(
  limits: Limits | false,
  clientKey: ClientKey | undefined,
  now: () => number,
  log: Log,
) {
  const clients = new WeakMap<PlainRequest, string | undefined>();
  const readClient = (request: PlainRequest): string | undefined => {
    try {
      return checkKey((clientKey ?? clientKeyOfConnection)(request));
    } catch (error) {
      log({ type: 'clientKeyFailed', error });
      return undefined;
    }
  };
  const counters = { sessions: createCounter(now), reads: createCounter(now) };
  return {
    /** Counts one request. A client that is not known has no limit. Throws `rate_limited`. */
    take(name: keyof Limits, client: string | undefined): void {
      if (limits === false || client === undefined) return;
      const { count, endsInMs } = counters[name](client);
      if (count <= limits[name]) return;
      const retryAfterSeconds = Math.max(1, Math.ceil(endsInMs / 1000));
      const message = `Too many requests; retry in ${retryAfterSeconds} seconds.`;
      throw new CheckoutError('rate_limited', message, { retryAfterSeconds });
    },
    /** Asks `clientKey` once for each request. */
    clientOf(request: PlainRequest): string | undefined {
      if (!clients.has(request)) clients.set(request, readClient(request));
      return clients.get(request);
    },
  };
}

/** No address is longer. */
const maxKeyLength = 100;

/** Refuses the promise of an async `clientKey`: it would not be a usable key. */
function checkKey(key: unknown): string | undefined {
  if (key === undefined) return undefined;
  if (typeof key === 'string') return key.slice(0, maxKeyLength);
  if (key instanceof Promise) key.catch(() => {});
  throw new TypeError('clientKey must return a string or undefined, not a promise.');
}

const minuteMs = 60_000;

/** At most twice as many are counted at once. An attacker with more keys gets past the limit, but does not use up the memory. */
const maxRecentKeys = 50_000;

/** Creates a function that counts a request of this key, in minutes that begin with its first. */
function createCounter(now: () => number): (key: string) => { count: number; endsInMs: number } {
  type Count = { since: number; count: number };
  let [recent, earlier] = [new Map<string, Count>(), new Map<string, Count>()];
  let oldest: Count | undefined;
  const leftOf = ({ since }: Count): number => remainingMs(since, minuteMs, now());
  const begin = (key: string): Count => {
    const started = { since: now(), count: 0 };
    // When the first of the recent counts has ended, all earlier ones have.
    if (oldest === undefined || leftOf(oldest) === 0 || recent.size >= maxRecentKeys) {
      [earlier, recent, oldest] = [recent, new Map(), started];
    }
    recent.set(key, started);
    return started;
  };
  return (key) => {
    const known = recent.get(key) ?? earlier.get(key);
    const current = known === undefined || leftOf(known) === 0 ? begin(key) : known;
    current.count++;
    return { count: current.count, endsInMs: leftOf(current) };
  };
}
