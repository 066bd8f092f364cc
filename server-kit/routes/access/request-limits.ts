import * as v from 'valibot';
import { CheckoutError } from '../../../src/contract/index.ts';
import { settleWithin, type Wait } from '../../async/wait.ts';
import type { PlainRequest } from '../../http/plain-http.ts';
import { type ClientKey, clientKeyOfConnection } from '../../limits/client-key.ts';
import type { Limiter, LimiterOptions, LimiterVerdict } from '../../limits/limiter.ts';
import { createMemoryLimiter } from '../../limits/memory.ts';
import type { Log } from '../../telemetry/log.ts';

/** So many in so many seconds. */
export type Limit = Pick<LimiterOptions, 'limit' | 'perSeconds'>;

/** Tight for one order or payment; generous for one client, because a carrier puts thousands of phones behind one address. */
export const defaultLimits = {
  /** `POST {base}/sessions` of one order. `createSession` of your own code is not counted. */
  sessionsPerOrder: { limit: 20, perSeconds: 60 },
  /** `POST {base}/sessions` of one client, whatever comes of it. */
  sessionsPerClient: { limit: 1200, perSeconds: 60 },
  /** `GET {base}/sessions/{reference}` with the right client secret. */
  readsPerPayment: { limit: 240, perSeconds: 60 },
  /** `GET {base}/sessions/{reference}` of one client, whatever comes of it. */
  readsPerClient: { limit: 24_000, perSeconds: 60 },
  /**
   * Wrong client secrets, reconcile keys and callbacks of one client. Past it they are answered with 429, and callbacks
   * cost the store nothing. What is right is let through all the same, so that nobody can lock out those who share an
   * address. But a callback that is signed for an address from which the shop has moved away counts as wrong: only the
   * store can tell that it is not.
   */
  failuresPerClient: { limit: 600, perSeconds: 60 },
} as const satisfies Record<string, Limit>;

export type LimitName = keyof typeof defaultLimits;

export type LimitsOptions = { [Name in LimitName]?: Limit | false } & {
  /**
   * Makes the limiters, so that all instances can count together: `(options) => createRedisLimiter({ redis, ...options })`.
   * Default: `createMemoryLimiter`, which counts in this process.
   */
  create?: (options: LimiterOptions) => Limiter;
};

const LimitSchema = v.optional(v.union([v.literal(false), v.object({})], 'must be a limit, or false'));

/** The names; each limiter checks its own numbers. */
export const LimitsSchema = v.strictObject({
  sessionsPerOrder: LimitSchema,
  sessionsPerClient: LimitSchema,
  readsPerPayment: LimitSchema,
  readsPerClient: LimitSchema,
  failuresPerClient: LimitSchema,
  create: v.optional(v.custom((value) => typeof value === 'function', 'must be a function')),
});

export type RequestLimits = {
  /**
   * Takes one. A limit that cannot be counted lets everything pass: it must stop no payment.
   *
   * @param key where it is `undefined`, nothing is limited
   * @throws {CheckoutError} `rate_limited`
   */
  take: (name: LimitName, key: string | undefined) => Promise<void>;
  clientOf: ClientKeyOf;
};

type ClientKeyOf = (request: PlainRequest) => string | undefined;

export type RequestLimitsOptions = {
  limits: LimitsOptions | false;
  clientKey: ClientKey | undefined;
  now: () => number;
  wait: Wait;
  log: Log;
};

/** Longer than our own limiters need to give up a service that does not answer. */
const answerWithinMs = 3000;

const allowed: LimiterVerdict = { allowed: true };

/** @throws {CheckoutError} `invalid_options` for a limit that is none */
export function createRequestLimits(options: RequestLimitsOptions): RequestLimits {
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
    async take(name, key) {
      const verdict = key === undefined ? allowed : await takeOne(name, key);
      if (verdict.allowed) return;
      const { retryAfterSeconds } = verdict;
      const message = `Too many requests; come back in ${retryAfterSeconds} seconds.`;
      throw new CheckoutError('rate_limited', message, { retryAfterSeconds });
    },
    clientOf(request) {
      try {
        return checkKey((options.clientKey ?? clientKeyOfConnection)(request));
      } catch (error) {
        log({ type: 'limiterFailed', limit: 'clientKey', error });
        return undefined;
      }
    },
  };
}

/** A promise, of a `clientKey` that is async, would be another key for each request, or one for all. */
function checkKey(key: unknown): string | undefined {
  if (key === undefined || typeof key === 'string') return key;
  if (key instanceof Promise) key.catch(() => {});
  throw new TypeError('clientKey must give a text or undefined, at once.');
}

function createLimiters({ limits, now, wait }: RequestLimitsOptions): { [Name in LimitName]?: Limiter } {
  if (limits === false) return {};
  const { create = (options: LimiterOptions) => createMemoryLimiter({ now, ...options }) } = limits;
  const make = (name: LimitName): [LimitName, Limiter] | [] => {
    const limit = limits[name] ?? defaultLimits[name];
    if (limit === false) return [];
    const limiter = create({
      name: name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      ...limit,
    });
    // A limiter of somebody else's may hang, with a shopper behind it.
    const take = async (key: string) => settleWithin(wait, answerWithinMs, limiter.take(key));
    return [name, limits.create === undefined ? limiter : { take }];
  };
  const names = Object.keys(defaultLimits) as LimitName[];
  return Object.fromEntries(names.map(make).filter((entry) => entry.length > 0));
}
