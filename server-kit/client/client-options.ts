import * as v from 'valibot';
import { parseWebUrl } from '../../src/contract/index.ts';
import { Dialect, type DialectChoices } from './api/dialect.ts';
import type { Wait } from './async/wait.ts';
import { parseOrThrow } from './errors/describe-issues.ts';
import { PaymentsError } from './errors/payments-error.ts';
import { Milliseconds, RetryCount } from './request/call-options.ts';
import type { Hooks } from './request/hooks.ts';
import { defaultRetryPolicy, type RetryPolicy } from './request/retry.ts';
import { isRepetitive } from './signing/guessable-keys.ts';

export type PaymentsClientOptions = Hooks & {
  /**
   * The service's base URL, http(s), including a path prefix if it has one: `https://api.example/service`. Live payments need
   * https.
   */
  baseUrl: string;
  /**
   * Signs every request except those of apps. Keep it on the server. Pass several while you replace it: the first signs,
   * and any of them may have signed a callback.
   */
  apiSecret: string | readonly string[];
  /** Sent as `Authorization: Bearer` with signed requests, if given. */
  apiKey?: string | undefined;
  /**
   * Whether the keys are live, so that real money moves. Records of the other mode are refused with `invalid_options`.
   * Default: `false` if `baseUrl` is http. Otherwise records of both modes are accepted, and the keys count as possibly live,
   * unless `baseUrl` is local or reserved for examples and tests (RFC 2606, RFC 6761).
   */
  liveMode?: boolean | undefined;
  /** Sent as `Authorization: Bearer` for apps (interface, sections 4.13 and 4.14), which are not signed. */
  authToken?: string | undefined;
  /** Default: the runtime's own. Pass a sandbox's `fetch` to use it without a network. */
  fetch?: typeof globalThis.fetch | undefined;
  /** The local clock, in milliseconds since the epoch. Default: `Date.now`. */
  now?: (() => number) | undefined;
  /** The timeout of each attempt, including its body, in milliseconds: 1 to 600,000. Default: 15,000. */
  timeoutMs?: number | undefined;
  /** Default: 3 retries with full jitter; the first pause is up to 250 ms, and they double up to 8 s. */
  retry?: { [Name in keyof RetryPolicy]?: RetryPolicy[Name] | undefined } | undefined;
  /** How your service behaves where its interface leaves a choice. Default: as the public service. */
  dialect?: DialectChoices | undefined;
  /** The randomness of the jitter, from 0 to 1. Default: `Math.random`. */
  random?: (() => number) | undefined;
  /** Waits between attempts; must reject only when its signal aborts. Default: a timer. */
  wait?: Wait | undefined;
};

const aFunction = v.custom((value) => typeof value === 'function', 'must be a function');

/** A valid header value; `fetch` would refuse others later, with the key in its message. */
const HeaderText = v.pipe(
  v.string(),
  v.regex(/^[\x21-\x7e]+$/, 'must be text without spaces or line ends; leave it out where there is none'),
);

const ApiSecret = v.pipe(
  v.string(),
  v.minLength(1, 'is missing; pass the API secret of your account'),
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

/** Strict, because a misspelt option would otherwise go unnoticed. */
const Options = v.strictObject({
  baseUrl: BaseUrl,
  apiSecret: ApiSecrets,
  apiKey: v.optional(HeaderText),
  liveMode: v.optional(v.boolean('must be true or false')),
  authToken: v.optional(HeaderText),
  fetch: v.optional(aFunction),
  now: v.optional(aFunction),
  random: v.optional(aFunction),
  wait: v.optional(aFunction),
  timeoutMs: v.optional(Milliseconds, 15_000),
  retry: v.optional(
    v.strictObject({
      maxRetries: v.optional(RetryCount, maxRetries),
      baseDelayMs: v.optional(Milliseconds, baseDelayMs),
      maxDelayMs: v.optional(Milliseconds, maxDelayMs),
    }),
    {},
  ),
  onRequest: v.optional(aFunction),
  onResponse: v.optional(aFunction),
  onError: v.optional(aFunction),
  dialect: v.optional(Dialect, {}),
});

const OptionsSchema = v.pipe(
  Options,
  v.forward(
    v.partialCheck(
      [['baseUrl'], ['liveMode']],
      ({ baseUrl, liveMode }) => !(liveMode && isPlainHttp(baseUrl)),
      'must be an https address in live mode, because anybody on the way could change the account to pay into',
    ),
    ['baseUrl'],
  ),
);

const isPlainHttp = (baseUrl: string): boolean => new URL(baseUrl).protocol === 'http:';

/**
 * @returns the options that have a default or a normalised form
 * @throws {PaymentsError} `invalid_options`, naming each invalid or unknown option
 */
export function readClientOptions(options: PaymentsClientOptions): {
  baseUrl: string;
  apiSecrets: readonly string[];
  liveMode: boolean | undefined;
  timeoutMs: number;
  retry: RetryPolicy;
  dialect: Readonly<Dialect>;
} {
  const toError = (text: string) =>
    new PaymentsError('invalid_options', `Invalid options for createPaymentsClient. ${text}.`);
  const parsed = parseOrThrow(OptionsSchema, options, 'options', toError);
  const { baseUrl, apiSecret: apiSecrets, timeoutMs, retry, dialect } = parsed;
  const { liveMode = isPlainHttp(baseUrl) ? false : undefined } = parsed;
  return { baseUrl, apiSecrets, liveMode, timeoutMs, retry, dialect: Object.freeze(dialect) };
}
