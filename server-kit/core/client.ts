import * as v from 'valibot';
import { CheckoutError, parseWebUrl } from '../../src/contract/index.ts';
import { type CallInput, type CallOptions, callEndpoint } from './call.ts';
import type { CheckoutLinkRequest, Endpoint, PaymentInitiationRequest } from './endpoints.ts';
import { paymentEndpoints } from './endpoints.ts';
import {
  aFunction,
  type Dialect,
  defaultDialect,
  listOf,
  objectWith,
  parseOptions,
  wholeNumber,
} from './options.ts';
import { BareKey, Secret } from './secrets.ts';
import { type ParseCallbackInput, parseCallback } from './signature.ts';
import { createServiceClock, type Wait, waitWithTimer } from './time.ts';

/** A valid header value; `fetch` would refuse others later, with the key in its message. */
const HeaderText = v.pipe(
  BareKey,
  v.regex(/^[\x21-\x7e]+$/, 'must be text without spaces or line ends; leave it out if there is none'),
);

const BaseUrl = v.pipe(
  v.string(),
  v.check((text) => {
    const url = parseWebUrl(text);
    return url !== undefined && !/[?#]/.test(url.href) && url.username === '' && url.password === '';
  }, 'must be an http(s) address without query or credentials, such as https://api.example'),
  v.transform((text) => new URL(text).href.replace(/(?<!\/)\/+$/, '')),
);

const missing = 'is missing; pass the API secret of your account, or several with the one to sign with first';
const ApiSecret = v.pipe(Secret, v.minLength(1, missing));
const ApiSecrets = v.pipe(
  v.union(
    [
      ApiSecret,
      v.pipe(
        listOf(ApiSecret, missing),
        v.check((secrets) => secrets.length > 0),
      ),
    ],
    missing,
  ),
  v.transform((given): readonly string[] => [given].flat()),
);

/** The options of `createPaymentsClient`. Strict, because a misspelt option would otherwise go unnoticed. */
export const PaymentsClientOptions = v.strictObject({
  /** The service's base URL, http(s), including a path prefix if it has one. Live payments need https. */
  baseUrl: BaseUrl,
  /**
   * Signs every request except those of apps. Keep it on the server. Pass several while you replace it: the first signs, and any of
   * them may have signed a callback.
   */
  apiSecret: ApiSecrets,
  /** Sent as `Authorization: Bearer` with signed requests, if given. */
  apiKey: v.optional(HeaderText),
  /**
   * Whether the keys are live, so that real money moves. Records of the other mode are refused with `invalid_options`. Default: `false`
   * if `baseUrl` is http. Otherwise records of both modes are accepted, and the keys count as possibly live, unless `baseUrl` is local
   * or reserved for examples and tests (RFC 2606, RFC 6761).
   */
  liveMode: v.optional(v.boolean('must be true or false')),
  /** Sent as `Authorization: Bearer` for apps (interface, sections 4.13 and 4.14), which are not signed. */
  authToken: v.optional(HeaderText),
  /** Wrap it for logs, metrics and spans. Default: the runtime's own. Pass a sandbox's `fetch` to use it without a network. */
  fetch: v.optional(aFunction<typeof globalThis.fetch>()),
  /** The local clock, in milliseconds since the epoch. Default: `Date.now`. */
  now: v.optional(aFunction<() => number>(), () => Date.now),
  /** The timeout of each attempt, including its body, in milliseconds: 1 to 600,000. Default: 15,000. */
  timeoutMs: v.optional(wholeNumber(1, 600_000), 15_000),
  /** How many times a call is sent again after a transient failure, with growing pauses of up to 4 s. Default: 3. */
  maxRetries: v.optional(wholeNumber(0, 20), 3),
  /** How your service behaves where its interface leaves a choice. Default: as the public service. */
  dialect: v.optional(
    objectWith<Dialect>(
      'fromWire',
      'must be what createDialect() of transfer-checkout/server-kit/service returns',
    ),
    () => defaultDialect,
  ),
  /** The randomness of the jitter, from 0 to 1. Default: `Math.random`. */
  random: v.optional(aFunction<() => number>(), () => Math.random),
  /** Waits between attempts; must reject only when its signal aborts. Default: a timer. */
  wait: v.optional(aFunction<Wait>(), () => waitWithTimer),
});
export type PaymentsClientOptions = v.InferInput<typeof PaymentsClientOptions>;

/** Whether no public system can be at a URL's host name: it is this machine's, or reserved for tests and examples (RFC 2606, RFC 6761). */
export const isReservedHost = (hostname: string): boolean =>
  /^((.+\.)?localhost\.?|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname) ||
  /^(.+\.)?(test|example|invalid|example\.(com|net|org))\.?$/.test(hostname);

export type PaymentsClient = ReturnType<typeof createPaymentsClient>;

/** The secrets of each client with the names of their options. Not in the client, where a log could find them. */
const credentials = new WeakMap<object, Record<string, unknown>>();

/** Returns the name of the client's option that has this value, such as `apiSecret`; `undefined` for none. */
export const credentialNameOf = (client: PaymentsClient, value: string): string | undefined =>
  Object.entries(credentials.get(client) ?? {}).find(([, known]) => [known].flat().includes(value))?.[0];

/** Creates a client of the payments service. Throws `invalid_options`, naming each invalid or unknown option. */
export function createPaymentsClient(options: PaymentsClientOptions) {
  const settings = parseOptions(PaymentsClientOptions, options, 'createPaymentsClient');
  const { baseUrl, apiSecret, apiKey, authToken, now, dialect } = settings;
  const isPlainHttp = new URL(baseUrl).protocol === 'http:';
  const { liveMode = isPlainHttp ? false : undefined } = settings;
  if (liveMode && isPlainHttp) {
    const why = 'because anybody on the way could change the account to pay into';
    throw new CheckoutError('invalid_options', `baseUrl: must be an https address in live mode, ${why}.`);
  }
  const clock = createServiceClock(now);
  // Called as a plain function, because browsers and workers refuse a detached fetch.
  const { fetch = (input, init) => globalThis.fetch(input, init) } = settings;
  const context = { ...settings, liveMode, clock, fetch };
  const call = <E extends Endpoint>(endpoint: E, input: CallInput<E> = {}, of?: CallOptions) =>
    callEndpoint(context, endpoint, input, of);
  const client = {
    /** The service has no call that refunds, closes or lists payments: an account takes money until it expires, and sometimes later. */
    payments: {
      /** 4.4: initiates a payment, and returns the account to pay into. `openPayment` also handles lost responses. */
      initiate: (body: PaymentInitiationRequest, of?: CallOptions) =>
        call(paymentEndpoints['payments.initiate'], { body }, of),
      /** 4.6: retrieves a payment by the service's id. */
      retrieve: (id: string, of?: CallOptions) =>
        call(paymentEndpoints['payments.retrieve'], { path: { id } }, of),
      /** 4.7: retrieves a payment by your reference. `isPaid` says whether it is paid. Throws `not_found` if the service does not know it. */
      verify: (reference: string, of?: CallOptions) =>
        call(paymentEndpoints['payments.verify'], { path: { reference } }, of),
    },
    checkout: {
      /** 4.5: creates a checkout link. `authorizationUrl` is always http(s). `openLink` also handles lost responses. */
      create: (body: CheckoutLinkRequest, of?: CallOptions) =>
        call(paymentEndpoints['checkout.create'], { body }, of),
    },
    /** Calls any endpoint, of this table or another one. */
    call,
    /** As `parseCallback`, with the client's secrets and dialect, and the service's clock. */
    parseCallback: (input: Omit<ParseCallbackInput, 'secrets' | 'now'> & { now?: number }) =>
      parseCallback({ now: clock.now(), ...input, secrets: apiSecret, dialect }),
    /** The service's time in milliseconds since the epoch, from the `Date` of its responses. */
    serviceNow: clock.now,
    /** How far that clock is ahead of the local one, in milliseconds; `undefined` before the first response. */
    clockOffsetMs: () => (clock.isKnown() ? clock.offsetMs() : undefined),
    /** The mode of the keys; `undefined` if `liveMode` was not given, and `baseUrl` is https. */
    liveMode,
    /** Whether real money may move: `liveMode`, or, if that is not given, whether `baseUrl` may be a live service. */
    canBeLive: liveMode ?? !isReservedHost(new URL(baseUrl).hostname),
    dialect,
  };
  credentials.set(client, { apiSecret, apiKey, authToken });
  return client;
}
