import * as v from 'valibot';
import { CheckoutError, parseWebUrl } from '../src/contract/index.ts';
import type { Dialect } from './api/dialect.ts';
import type { Wait } from './async/wait.ts';
import type { Bus } from './buses/bus.ts';
import type { PaymentsClient } from './client/client.ts';
import { describeIssues } from './errors/describe-issues.ts';
import type { ClientKey } from './limits/client-key.ts';
import { hasHandlers, type OutcomeHandlers } from './outbox/handlers.ts';
import type { OrderInput } from './payments/order.ts';
import { type LimitsOptions, LimitsSchema } from './routes/access/request-limits.ts';
import type { Store } from './stores/store.ts';
import type { OnLog } from './telemetry/log.ts';

/** What the merchant's `createPayment` gets of a browser's request. */
export type CreatePaymentRequest = {
  /** The JSON that the page sent: the widget's `body` option. Anybody can send anything. */
  body: unknown;
  headers: Headers;
  /** Aborts when the browser has gone. */
  signal: AbortSignal;
};

export type CheckoutOptions = OutcomeHandlers & {
  /** The client of the payments service. */
  payments: PaymentsClient;
  /** Where payments are recorded before anything else happens. */
  store: Store;
  /**
   * Sign the client secrets: the first signs, all verify, so that a key can be replaced. At least 32 characters
   * each, the same on every instance, and never the API secret.
   */
  clientSecretKeys: readonly string[];
  /**
   * Says which order the caller may pay, and what it costs. Called for each `POST {base}/sessions`.
   *
   * It must authorise: posting somebody else's order id must not hand out that order's session. Read the order from
   * something the browser cannot make up, such as a signed cookie or a signed cart, and throw
   * `new CheckoutError('forbidden')` otherwise. Take the price from your own records, never from `body`.
   *
   * @example
   * createPayment: async ({ headers }) => {
   *   const cart = verifySignedCart(headers.get('cookie'));
   *   if (cart === undefined) throw new CheckoutError('forbidden', 'Your cart has ended; go back to the shop.');
   *   return { orderId: cart.orderId, amount: { value: totalOf(cart), currency: 'NGN' } };
   * }
   */
  createPayment: (request: CreatePaymentRequest) => OrderInput | Promise<OrderInput>;
  /** The address under which shoppers reach this server, http(s): `https://shop.example`. */
  publicUrl: string;
  /** The path below `publicUrl` at which the checkout is mounted, for the address of callbacks. Default: `/checkout`. */
  basePath?: string;
  /** How `chargedAmount` is to be read (`chargedAmountBasis`). All other choices are the client's. */
  dialect?: Partial<Dialect>;
  /** The least time between two looks at one payment, in milliseconds. Default: 2,000. */
  verificationIntervalMs?: number;
  /**
   * How many verifications all instances together make in a second at the most. The rate grows while the service responds
   * and is used up, and decreases when the service refuses. Verifications that decide on a new account are made in any
   * case. Default: 300.
   */
  maxVerificationsPerSecond?: number;
  /** How long after expiry an account is watched for late money, in seconds. Default: 7 days. */
  lateWatchSeconds?: number;
  /** How long a paid payment is watched for its reversal, in seconds. Default: 30 days. */
  reversalWatchSeconds?: number;
  /**
   * After how many days an order that is over is forgotten: all its payments settled, nothing left to watch or to tell. An
   * order that is forgotten is unknown: asked for again, it would get a new account, and be paid again. So think in months,
   * and let `createPayment` refuse what your own records call paid. Default: nothing is forgotten.
   */
  purgeAfterDays?: number;
  /**
   * For how long an instance takes an outcome to call its handler, in milliseconds. It is renewed while the handler
   * runs; when the instance dies, another calls the handler after this time. Default: 30,000.
   */
  handlerLeaseMs?: number;
  /**
   * After how many failures of a handler a person has to decide; see `effects`. The pauses between them grow from a second to
   * an hour. Default: 160, which is three days at least, and six at most.
   */
  maxHandlerTries?: number;
  /** Wakes requests that wait on other instances. Default: only those of this one. */
  bus?: Bus;
  /**
   * Lets whoever has it call `POST {base}/reconcile`, with `Authorization: Bearer`: for platforms on which nothing runs
   * between requests, and for those who want to see it work; and `GET {base}/dead-letters` and
   * `POST {base}/dead-letters/retry`, which list and retry what handlers have failed at too often. At least 32 characters.
   * Default: there are no such routes.
   */
  reconcileKey?: string;
  /** Lets live payments be made with a store that forgets them when the process ends. Default: false. */
  allowVolatileStore?: boolean;
  /**
   * How often each order, payment and client may ask; `false` for no limits at all. Default: `defaultLimits`, counted in
   * this process.
   */
  limits?: LimitsOptions | false;
  /**
   * Says under which key a request is limited: its client's address. Behind a reverse proxy, take `createClientKey`, which
   * knows whose word in `X-Forwarded-For` counts. Default: the address at the other end of the connection, where the
   * runtime tells and it is none of a private network.
   */
  clientKey?: ClientKey;
  /**
   * Origins whose pages may ask besides those of `publicUrl`: `['https://www.shop.example']`. Each is exactly scheme, host
   * and port. Default: none.
   */
  allowedOrigins?: readonly string[];
  /** Lets pages of those origins send cookies, where `createPayment` reads one. Default: false. */
  allowCredentials?: boolean;
  /** How many requests an instance holds at most; what comes above is answered at once. Default: 5,000. */
  maxWaiters?: number;
  /** Hears what happens: refusals, failures, callbacks, outcomes. Default: all but `info` goes to `console.error`. */
  onLog?: OnLog;
  /** The local clock in milliseconds since the epoch. Default: `Date.now`. */
  now?: () => number;
  /** How to wait; tests pass their own. Default: a timer. */
  wait?: Wait;
  /** From 0 up to, not including, 1: spreads retries and rounds. Default: `Math.random`. */
  random?: () => number;
  /** Random bytes for references. Default: the runtime's own. */
  randomBytes?: (length: number) => Uint8Array;
};

const minKeyLength = 32;
const Key = v.pipe(
  v.string('must be a text'),
  v.minLength(minKeyLength, `must have at least ${minKeyLength} characters`),
);

const aFunction = (hint: string) =>
  v.custom((value) => typeof value === 'function', `must be a function${hint}`);
const objectWith = (method: string, hint: string) =>
  v.custom((value) => typeof (value as Record<string, unknown> | undefined)?.[method] !== 'undefined', hint);

const yearSeconds = 366 * 24 * 3600;
const whole = (least: number, most: number) =>
  v.optional(v.pipe(v.number(), v.safeInteger('must be whole'), v.minValue(least), v.maxValue(most)));

/** As a browser sends it: with nothing after the host and port, and without a port that its scheme has anyway. */
const Origin = v.custom(
  (value) => parseWebUrl(value)?.origin === value,
  'must be an origin as browsers send it, such as https://www.shop.example',
);

/** What a merchant can get wrong. A name that is not here is a typing error, and would go unnoticed for ever. */
const OptionsSchema = v.strictObject({
  payments: objectWith('payments', 'must be what createPaymentsClient() returns'),
  store: objectWith('insert', 'must be a store; createMemoryStore() will do for a first try'),
  clientSecretKeys: v.pipe(
    v.array(Key, 'must be a list, with the key that signs first: [key]'),
    v.minLength(1, 'must hold at least one key; make one with: openssl rand -hex 32'),
  ),
  createPayment: aFunction(' that returns the order to pay'),
  publicUrl: v.custom(
    (value) => parseWebUrl(value) !== undefined,
    'must be the http(s) address of the shop, such as https://shop.example',
  ),
  dialect: v.optional(v.custom((value) => typeof value === 'object', 'must be an object')),
  basePath: v.optional(v.pipe(v.string(), v.regex(/^(\/[\w.~-]+)*\/?$/, 'must be a path such as /checkout'))),
  verificationIntervalMs: whole(100, 60_000),
  maxVerificationsPerSecond: whole(1, 10_000),
  lateWatchSeconds: whole(0, yearSeconds),
  reversalWatchSeconds: whole(0, yearSeconds),
  purgeAfterDays: whole(1, 36_600),
  handlerLeaseMs: whole(1000, 3_600_000),
  maxHandlerTries: whole(1, 1000),
  bus: v.optional(objectWith('subscribe', 'must be a bus; leave it out where the server is one process')),
  reconcileKey: v.optional(
    v.pipe(Key, v.regex(/^[\w.~+/-]+=*$/, 'must consist of letters, digits and . _ ~ + / - only')),
  ),
  allowVolatileStore: v.optional(v.boolean('must be true or false')),
  limits: v.optional(v.union([v.literal(false), LimitsSchema], 'must be an object of limits, or false')),
  clientKey: v.optional(aFunction('')),
  allowedOrigins: v.optional(v.array(Origin, 'must be a list of origins')),
  allowCredentials: v.optional(v.boolean('must be true or false')),
  maxWaiters: whole(0, 1_000_000),
  onPaid: v.optional(aFunction('')),
  onFailed: v.optional(aFunction('')),
  onExpired: v.optional(aFunction('')),
  onReversed: v.optional(aFunction('')),
  onAmountMismatch: v.optional(aFunction('')),
  onUnexpectedMoney: v.optional(aFunction('')),
  onLog: v.optional(aFunction('')),
  now: v.optional(aFunction('')),
  wait: v.optional(aFunction('')),
  random: v.optional(aFunction('')),
  randomBytes: v.optional(aFunction('')),
});

/** The options by name: what the schema does not know is refused, and what it knows is documented. */
export const checkoutOptionNames = Object.keys(OptionsSchema.entries);

/**
 * @throws {CheckoutError} `invalid_options`, naming each option that is wrong, missing or does not exist, and what to pass
 */
export function checkCheckoutOptions(options: CheckoutOptions): void {
  const result = v.safeParse(OptionsSchema, options);
  if (!result.success) {
    const { text } = describeIssues(result.issues, 'options');
    throw new CheckoutError('invalid_options', `createCheckout cannot work with these options. ${text}.`);
  }
  if (hasHandlers(options) && options.onPaid === undefined) {
    const message =
      'onPaid: must be given where there is any handler; paid orders would count as told without it.';
    throw new CheckoutError('invalid_options', message);
  }
}
