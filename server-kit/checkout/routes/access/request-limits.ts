import * as v from 'valibot';
import { CheckoutError } from '../../../../src/contract/index.ts';
import { settleWithin, type Wait } from '../../../client/async/wait.ts';
import type { PlainRequest } from '../../../client/http/plain-http.ts';
import { aFunction } from '../../../client/options/parse-options.ts';
import { createMemoryLimiter } from '../../../drivers/memory/limiter.ts';
import type { Limiter, LimiterOptions, LimiterVerdict } from '../../ports/limiter.ts';
import type { Log } from '../../telemetry/log.ts';
import { type ClientKey, clientKeyOfConnection } from './client-key.ts';

/** A number of requests in a number of seconds. */
export type Limit = Pick<LimiterOptions, 'limit' | 'perSeconds'>;

/** Tight for an order or payment. Those of a client fit the 5,000 phones that a carrier may put behind one address. */
export const defaultLimits = {
  /** `POST {base}/sessions` for one order. `createSession` in your own code is not counted. */
  sessionsPerOrder: { limit: 20, perSeconds: 60 },
  /** `POST {base}/sessions` from one client, whatever the result. */
  sessionsPerClient: { limit: 3000, perSeconds: 60 },
  /** `GET {base}/sessions/{reference}` with the right client secret. */
  readsPerPayment: { limit: 240, perSeconds: 60 },
  /** `GET {base}/sessions/{reference}` from one client, whatever the result. */
  readsPerClient: { limit: 60_000, perSeconds: 60 },
  /**
   * Wrong client secrets, reconcile keys and callbacks from one client. Above the limit they get 429, and callbacks cost no
   * read of the store. Valid requests still pass, so that nobody can lock out others at the same address; but a callback that
   * is signed for an earlier address of the shop, or at another time than ours, counts as wrong, because checking it needs
   * the store or the service.
   */
  failuresPerClient: { limit: 600, perSeconds: 60 },
} as const satisfies Record<string, Limit>;

export type LimitName = keyof typeof defaultLimits;

const LimitOption = v.optional(
  v.union(
    [v.literal(false), v.object({ limit: v.number(), perSeconds: v.number() })],
    'must be a limit, or false',
  ),
);

const names = Object.keys(defaultLimits) as LimitName[];

/** Each limit; `false` for none. Each limiter checks its own numbers. */
export const LimitsOptions = v.strictObject({
  ...v.entriesFromList(names, LimitOption),
  /**
   * Creates the limiters, so that all instances can count together: `(options) => createRedisLimiter({ redis, ...options })`.
   * Default: `createMemoryLimiter`, which counts in this process.
   */
  create: v.optional(aFunction<(options: LimiterOptions) => Limiter>()),
});
export type LimitsOptions = v.InferInput<typeof LimitsOptions>;

export type RequestLimits = ReturnType<typeof createRequestLimits>;

export type RequestLimitsOptions = {
  limits: LimitsOptions | false;
  clientKey: ClientKey | undefined;
  now: () => number;
  wait: Wait;
  log: Log;
};

/** Longer than our own limiters take to give up on a database that does not respond. */
const limiterTimeoutMs = 3000;

const allowed: LimiterVerdict = { allowed: true };

/** @throws {CheckoutError} `invalid_options` for an invalid limit */
export function createRequestLimits(options: RequestLimitsOptions) {
  const { log } = options;
  const limiters = createLimiters(options);
  const takeOne = async (name: LimitName, key: string): Promise<LimiterVerdict> => {
    try {
      return (await limiters[name]?.take(key)) ?? allowed;
    } catch (error) {
      log({ type: 'limiterFailed', limit: name, error });
      return allowed;
    }
  };
  return {
    /**
     * Counts one request. If the limiter fails, the request passes: a limiter must not stop payments.
     *
     * @param key `undefined` for no limit
     * @throws {CheckoutError} `rate_limited`
     */
    async take(name: LimitName, key: string | undefined): Promise<void> {
      const verdict = key === undefined ? allowed : await takeOne(name, key);
      if (verdict.allowed) return;
      const { retryAfterSeconds } = verdict;
      const message = `Too many requests; retry in ${retryAfterSeconds} seconds.`;
      throw new CheckoutError('rate_limited', message, { retryAfterSeconds });
    },
    clientOf(request: PlainRequest): string | undefined {
      try {
        return checkKey((options.clientKey ?? clientKeyOfConnection)(request));
      } catch (error) {
        log({ type: 'limiterFailed', limit: 'clientKey', error });
        return undefined;
      }
    },
  };
}

/** Refuses the promise of an async `clientKey`: it would not be a usable key. */
function checkKey(key: unknown): string | undefined {
  if (key === undefined || typeof key === 'string') return key;
  if (key instanceof Promise) key.catch(() => {});
  throw new TypeError('clientKey must return a string or undefined, not a promise.');
}

function createLimiters({ limits, now, wait }: RequestLimitsOptions): { [Name in LimitName]?: Limiter } {
  if (limits === false) return {};
  const { create = (options: LimiterOptions) => createMemoryLimiter({ now, ...options }) } = limits;
  const make = (name: LimitName): [LimitName, Limiter][] => {
    const limit = limits[name] ?? defaultLimits[name];
    if (limit === false) return [];
    const limiter = create({
      name: name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      ...limit,
    });
    // A custom limiter may hang while a shopper waits.
    const take = async (key: string) => settleWithin(wait, limiterTimeoutMs, limiter.take(key));
    return [[name, limits.create === undefined ? limiter : { take }]];
  };
  return Object.fromEntries(names.flatMap(make));
}
