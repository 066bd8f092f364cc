import * as v from 'valibot';
import { CheckoutError, parseWebUrl } from '../../src/contract/index.ts';
import { credentials, isReservedHost as isReserved, type PaymentsClient } from '../core/client.ts';
import { aFunction, objectWith, parseOptions, wholeNumber } from '../core/options.ts';
import { ClientSecretKeys, SecretKey } from '../core/secrets.ts';
import { type Wait, waitWithTimer } from '../core/time.ts';
import type { GetOrderRequest, OrderInput } from './order/request.ts';
import { handledOutcomes, type OutcomeHandlers } from './outbox/handlers.ts';
import { publishedKeys } from './published-keys.ts';
import type { ClientKey } from './routes/access/client-key.ts';
import { LimitsOptions } from './routes/access/request-limits.ts';
import type { OnUnknownPayment } from './shell/engine.ts';
import type { Store } from './store.ts';
import type { OnLog } from './telemetry/log.ts';

const daySeconds = 24 * 3600;
const yearSeconds = 366 * daySeconds;
const whole = (least: number, most: number, byDefault: number) =>
  v.optional(wholeNumber(least, most), byDefault);

/** Lists are cast, because valibot's array schema does not accept readonly arrays. */
type List = v.GenericSchema<readonly string[]>;

/** As a browser sends it: nothing after the host and port, and no default port. */
const Origin = v.custom<string>(
  (value) => parseWebUrl(value)?.origin === value,
  'must be an origin as browsers send it, such as https://www.shop.example',
);

const handlerOptions = v.entriesFromList(
  ['onPaid', 'onAttention', 'onFailed', 'onExpired'] as const,
  v.optional(aFunction()),
);

/** Replaces the clocks, the randomness and the pauses of a checkout in tests. A shop needs none of them. */
const Testing = v.strictObject({
  /** The local clock in milliseconds since the epoch. Default: `Date.now`. */
  now: v.optional(aFunction<() => number>(), () => Date.now),
  /** Waits. Default: a timer. */
  wait: v.optional(aFunction<Wait>(), () => waitWithTimer),
  /** From 0 up to, not including, 1: spreads retries and rounds. Default: `Math.random`. */
  random: v.optional(aFunction<() => number>(), () => Math.random),
  /** Returns random bytes for references. Default: the runtime's own. */
  randomBytes: v.optional(aFunction<(length: number) => Uint8Array>()),
  /** The minimum time between two verifications of one payment, in milliseconds. Default: 2,000. */
  verificationIntervalMs: whole(100, 60_000, 2000),
  /** How long an instance leases an outbox event, in milliseconds. Default: 30,000. */
  handlerLeaseMs: whole(1000, 3_600_000, 30_000),
  /** How long after its expiry an account is verified for late money, in seconds. Default: 7 days. */
  lateWatchSeconds: whole(0, yearSeconds, 7 * daySeconds),
  /** How long a paid payment is verified for a reversal, in seconds. Default: 30 days. */
  reversalWatchSeconds: whole(0, yearSeconds, 30 * daySeconds),
  /** The most requests that an instance holds. Default: 5,000. */
  maxHeld: whole(0, 1_000_000, 5000),
});

/** The options of `createCheckout`. Strict, because a misspelt option would otherwise go unnoticed. */
export const CheckoutOptions = v.strictObject({
  ...handlerOptions,
  /**
   * `'elsewhere'` for an instance that only serves pages, while another one runs the handlers: it takes no handlers, and leaves all outcomes
   * to the other. Default: the handlers run here, and `onPaid` is required.
   */
  handlers: v.optional(v.literal('elsewhere', "must be 'elsewhere', or left out")),
  /**
   * Called with a callback that the service has signed and that names a payment of no order here: money on a dedicated account, or a payment
   * made by other means. It is called before the callback is acknowledged; if it fails, the service sends the callback again. The callback
   * is a reason to verify the payment, not evidence, and may come several times. Default: it is logged, and listed in the status.
   */
  onUnknownPayment: v.optional(aFunction<OnUnknownPayment>()),
  /** The client of the payments service. */
  client: objectWith<PaymentsClient>('parseCallback', 'must be what createPaymentsClient() returns'),
  /** Where payments are recorded, before anything else happens. */
  store: objectWith<Store>('claimOrders', 'must be a store; createMemoryStore() will do for a first try'),
  /**
   * The keys of the client secrets: the first signs, all verify, so that a key can be replaced. At least 32 characters each,
   * the same on every instance, and no other key of yours. Make one with `openssl rand -hex 32`.
   */
  clientSecretKeys: ClientSecretKeys as List,
  /**
   * Returns the order that the caller may pay, and its price. Called for each `POST {base}/sessions` and `POST {base}/links`.
   *
   * Freeze an order before it is paid: its id stands for fixed goods at a fixed price, and a changed cart is another order id. Otherwise
   * goods that are added after the payment seem to be paid.
   *
   * It must authorise the caller: posting another customer's order id must not return that order's session. Read the order
   * from something that the browser cannot forge, such as a signed cookie or a signed cart, and throw
   * `new CheckoutError('forbidden')` otherwise. Take the price from your own records, never from `body`.
   *
   * @example
   * getOrder: async ({ headers, storedOrderId = '' }) => {
   *   const shopper = await findShopper(headers.get('cookie'));
   *   if (shopper === undefined) throw new CheckoutError('forbidden', 'Your session has ended; go back to the shop.');
   *   const stored = await orders.find(storedOrderId);
   *   const order = shopper.openOrder ?? (stored?.shopperId === shopper.id ? stored : undefined);
   *   if (order === undefined) throw new CheckoutError('forbidden', 'There is nothing to pay; go back to the shop.');
   *   return { orderId: order.id, amount: order.amount };
   * }
   */
  getOrder: aFunction<(request: GetOrderRequest) => OrderInput | Promise<OrderInput>>(
    ' that returns the order to pay',
  ),
  /** The address at which shoppers reach this server, without `basePath`: `https://shop.example`. Live payments need https. */
  publicUrl: v.custom<string>(
    (value) => parseWebUrl(value) !== undefined,
    'must be the http(s) address of the shop, such as https://shop.example',
  ),
  /** The path below `publicUrl` at which the checkout is mounted, for the callback address. Default: `/checkout`. */
  basePath: v.optional(
    v.pipe(v.string(), v.regex(/^(\/[\w.~-]+)*\/?$/, 'must be a path such as /checkout')),
    '/checkout',
  ),
  /**
   * The maximum of verifications per second on this instance. A 429 of the service pauses them for as long as its `Retry-After` says, and
   * halves the rate for a while. Verifications that decide on a new account are not limited. Default: 100.
   */
  maxVerificationsPerSecond: whole(1, 10_000, 100),
  /**
   * The key, sent as `Authorization: Bearer`, of `POST {base}/reconcile`, for platforms where nothing runs between requests,
   * and of `GET {base}/status`. At least 32 characters, and no other key of yours. Default: these routes do not exist.
   */
  operatorKey: v.optional(
    v.pipe(SecretKey, v.regex(/^[\w.~+/-]+=*$/, 'must consist of letters, digits and . _ ~ + / - only')),
  ),
  /**
   * Allows the keys that this package publishes, such as those of the sandbox, where payments may be live or `publicUrl` is
   * public: for a demo or a staging system. Default: false.
   */
  allowSandbox: v.optional(v.boolean('must be true or false'), false),
  /**
   * How many requests of each kind a client may make in a minute, counted in this process; `false` for no limit. More is the proxy's
   * work. Default: 3,000 `sessions` and 60,000 `reads`.
   */
  limits: v.optional(v.union([v.literal(false), LimitsOptions]), {}),
  /**
   * Returns the key under which a request is limited: its client's address. It stays in memory. Behind a reverse proxy, use `createClientKey`, which knows which entries of `X-Forwarded-For`
   * to trust. Default: the address at the other end of the connection, if the runtime provides it and it is not of a private
   * network.
   */
  clientKey: v.optional(aFunction<ClientKey>()),
  /**
   * Origins whose pages may call the checkout, with cookies, besides that of `publicUrl`: `['https://www.shop.example']`. Each is exactly
   * scheme, host and port. Default: none.
   */
  allowedOrigins: v.optional(v.array(Origin, 'must be a list of origins') as List, []),
  /** Receives the log: refusals, failures, callbacks, outcomes. Default: all but `info` goes to `console.error`. */
  onLog: v.optional(aFunction<OnLog>()),
  /** For tests: clocks, randomness and pauses. */
  testing: v.optional(Testing, {}),
});
/** An interface, so that the compiler names it, and the option that is missing, instead of an `Omit` of all. */
export interface CheckoutOptions
  extends OutcomeHandlers,
    Omit<v.InferInput<typeof CheckoutOptions>, keyof OutcomeHandlers> {}

/** The options with their defaults. */
export type CheckoutSettings = OutcomeHandlers &
  Omit<v.InferOutput<typeof CheckoutOptions>, keyof OutcomeHandlers>;

/**
 * Checks the options of `createCheckout`, and fills in the defaults.
 *
 * @throws {CheckoutError} `invalid_options`, naming each option that is wrong, missing or unknown, and what to pass
 */
export function readCheckoutOptions(options: CheckoutOptions): CheckoutSettings {
  const hint = 'dialect' in Object(options) ? ' Pass the dialect to createPaymentsClient.' : '';
  const settings = parseOptions(CheckoutOptions, options, 'createCheckout', hint) as CheckoutSettings;
  const fault =
    describePublicUrl(settings) ??
    describeHandlers(settings) ??
    describeReuse(settings) ??
    describePublished(settings);
  if (fault !== undefined) throw new CheckoutError('invalid_options', fault);
  return settings;
}

/** Callbacks would be sent to `/checkout/checkout/callbacks`, and links would return to a route. */
function describePublicUrl({ publicUrl, basePath }: CheckoutSettings): string | undefined {
  const { origin, pathname } = new URL(publicUrl);
  const [path, base] = [pathname, basePath].map((one) => one.replace(/\/+$/, '')) as [string, string];
  if (base === '' || !path.endsWith(base)) return undefined;
  return `publicUrl: must not end with basePath, ${base}, which is added to it; write ${origin}${path.slice(0, -base.length)}`;
}

function describeHandlers(settings: CheckoutSettings): string | undefined {
  if (settings.handlers === undefined && settings.onPaid === undefined)
    return "onPaid: must be given, because it ships what is paid. If another instance runs the handlers, pass handlers: 'elsewhere' instead.";
  const [outcome] = handledOutcomes(settings);
  return settings.handlers === 'elsewhere' && outcome !== undefined
    ? `handlers: must be left out to run handlers here; 'elsewhere' takes none, but there is one for ${outcome}.`
    : undefined;
}

/** The options of `createCheckout` that are keys, each with its value. */
const keysOf = ({ clientSecretKeys, operatorKey }: CheckoutSettings): [name: string, key: string][] => [
  ...clientSecretKeys.map((key): [string, string] => ['clientSecretKeys', key]),
  ...(operatorKey === undefined ? [] : [['operatorKey', operatorKey] as [string, string]]),
];

/** Returns the name of the client's option that has this value, such as `apiSecret`; `undefined` for none. */
const credentialNameOf = (client: PaymentsClient, value: string): string | undefined =>
  Object.entries(credentials.get(client) ?? {}).find(([, known]) => [known].flat().includes(value))?.[0];

/** If two keys are equal, a leak of one is a leak of both. */
function describeReuse(options: CheckoutSettings): string | undefined {
  const { client, clientSecretKeys, operatorKey } = options;
  for (const [name, key] of keysOf(options)) {
    const other = credentialNameOf(client, key);
    if (other !== undefined) return reuse(name, `${other} of createPaymentsClient`);
  }
  const isShared = operatorKey !== undefined && clientSecretKeys.includes(operatorKey);
  return isShared ? reuse('operatorKey', 'clientSecretKeys') : undefined;
}

const reuse = (name: string, other: string): string =>
  `${name}: must differ from ${other}; make another key with: openssl rand -hex 32.`;

/** With a published key anybody can sign callbacks, read payments, or run the reconciler. */
function describePublished(options: CheckoutSettings): string | undefined {
  const { client, publicUrl, allowSandbox } = options;
  const name =
    publishedKeys.map((key) => credentialNameOf(client, key)).find((found) => found !== undefined) ??
    keysOf(options).find(([, key]) => publishedKeys.includes(key))?.[0];
  const { hostname } = new URL(publicUrl);
  const reason = client.canBeLive
    ? 'the payments may be live'
    : !isReserved(hostname) && `publicUrl is at ${hostname}`;
  if (name === undefined || allowSandbox || !reason) return undefined;
  return `${name}: has a value that this package publishes, and ${reason}. Pass a secret one, or allowSandbox: true where this is a demo or a staging system.`;
}
