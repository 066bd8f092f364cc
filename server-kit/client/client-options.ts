import * as v from 'valibot';
import { parseWebUrl } from '../../src/contract/index.ts';
import { Dialect } from './api/dialect.ts';
import { type Wait, waitWithTimer } from './async/wait.ts';
import { Milliseconds, RetryCount } from './options/call-options.ts';
import { aFunction, parseOptions } from './options/parse-options.ts';
import type { Hooks } from './request/hooks.ts';
import { defaultRetryPolicy } from './request/retry.ts';
import { isBare, isRepetitive, mustBeBare } from './signing/guessable-keys.ts';

/** A valid header value; `fetch` would refuse others later, with the key in its message. */
const HeaderText = v.pipe(
  v.string(),
  v.regex(/^[\x21-\x7e]+$/, 'must be text without spaces or line ends; leave it out where there is none'),
  v.check(isBare, mustBeBare),
);

const ApiSecret = v.pipe(
  v.string(),
  v.minLength(1, 'is missing; pass the API secret of your account'),
  v.check(isBare, mustBeBare),
  v.check((secret) => !isRepetitive(secret), 'must not repeat itself; pass the API secret of your account'),
);

/** Normalises one secret or several to an array. */
const ApiSecrets = v.pipe(
  v.union(
    [ApiSecret, v.pipe(v.array(ApiSecret), v.minLength(1))],
    'is missing; pass the API secret of your account, or several with the one to sign with first',
  ),
  v.transform((given): readonly string[] => [given].flat()),
);

const BaseUrl = v.pipe(
  v.string(),
  v.check((text) => {
    const url = parseWebUrl(text);
    return url !== undefined && !/[?#]/.test(url.href) && url.username === '' && url.password === '';
  }, 'must be an http(s) address without query or credentials, such as https://api.example'),
  v.transform((text) => new URL(text).href.replace(/(?<!\/)\/+$/, '')),
);

const { maxRetries, baseDelayMs, maxDelayMs } = defaultRetryPolicy;

/** Called as a plain function, because browsers and workers refuse a detached fetch. */
const fetchOfRuntime: typeof globalThis.fetch = (input, init) => globalThis.fetch(input, init);

const hook = v.optional(aFunction());

/** Documented where their types are, in `RequestHooks`. */
const hooks = { onRequest: hook, onResponse: hook, onError: hook };

/** The options of `createPaymentsClient`. Strict, because a misspelt option would otherwise go unnoticed. */
export const PaymentsClientOptions = v.strictObject({
  ...hooks,
  /**
   * The service's base URL, http(s), including a path prefix if it has one: `https://api.example/service`. Live payments need
   * https.
   */
  baseUrl: BaseUrl,
  /**
   * Signs every request except those of apps. Keep it on the server. Pass several while you replace it: the first signs,
   * and any of them may have signed a callback.
   */
  apiSecret: ApiSecrets as v.GenericSchema<string | readonly string[], readonly string[]>,
  /** Sent as `Authorization: Bearer` with signed requests, if given. */
  apiKey: v.optional(HeaderText),
  /**
   * Whether the keys are live, so that real money moves. Records of the other mode are refused with `invalid_options`.
   * Default: `false` if `baseUrl` is http. Otherwise records of both modes are accepted, and the keys count as possibly live,
   * unless `baseUrl` is local or reserved for examples and tests (RFC 2606, RFC 6761).
   */
  liveMode: v.optional(v.boolean('must be true or false')),
  /** Sent as `Authorization: Bearer` for apps (interface, sections 4.13 and 4.14), which are not signed. */
  authToken: v.optional(HeaderText),
  /** Default: the runtime's own. Pass a sandbox's `fetch` to use it without a network. */
  fetch: v.optional(aFunction<typeof globalThis.fetch>(), () => fetchOfRuntime),
  /** The local clock, in milliseconds since the epoch. Default: `Date.now`. */
  now: v.optional(aFunction<() => number>(), () => Date.now),
  /** The timeout of each attempt, including its body, in milliseconds: 1 to 600,000. Default: 15,000. */
  timeoutMs: v.optional(Milliseconds, 15_000),
  /** Default: 3 retries with full jitter; the first pause is up to 250 ms, and they double up to 8 s. */
  retry: v.optional(
    v.strictObject({
      maxRetries: v.optional(RetryCount, maxRetries),
      baseDelayMs: v.optional(Milliseconds, baseDelayMs),
      maxDelayMs: v.optional(Milliseconds, maxDelayMs),
    }),
    {},
  ),
  /** How your service behaves where its interface leaves a choice. Default: as the public service. */
  dialect: v.optional(Dialect, {}),
  /** The randomness of the jitter, from 0 to 1. Default: `Math.random`. */
  random: v.optional(aFunction<() => number>(), () => Math.random),
  /** Waits between attempts; must reject only when its signal aborts. Default: a timer. */
  wait: v.optional(aFunction<Wait>(), () => waitWithTimer),
});
export type PaymentsClientOptions = Hooks & Omit<v.InferInput<typeof PaymentsClientOptions>, keyof Hooks>;

/** The options with their defaults. */
export type ClientSettings = Hooks & Omit<v.InferOutput<typeof PaymentsClientOptions>, keyof Hooks>;

const isPlainHttp = (baseUrl: string): boolean => new URL(baseUrl).protocol === 'http:';

const Checked = v.pipe(
  PaymentsClientOptions,
  v.forward(
    v.partialCheck(
      [['baseUrl'], ['liveMode']],
      ({ baseUrl, liveMode }) => !(liveMode && isPlainHttp(baseUrl)),
      'must be an https address in live mode, because anybody on the way could change the account to pay into',
    ),
    ['baseUrl'],
  ),
);

/**
 * Checks the options of `createPaymentsClient`, and fills in the defaults.
 *
 * @throws {CheckoutError} `invalid_options`, naming each invalid or unknown option
 */
export function readClientOptions(options: PaymentsClientOptions): ClientSettings {
  const settings = parseOptions(Checked, options, 'createPaymentsClient') as ClientSettings;
  const { baseUrl, liveMode = isPlainHttp(baseUrl) ? false : undefined, dialect } = settings;
  return { ...settings, liveMode, dialect: Object.freeze(dialect) };
}
