import * as v from 'valibot';
import { parseWebUrl } from '../../src/contract/index.ts';
import { aFunction, type Dialect, defaultDialect, listOf, objectWith, wholeNumber } from './options.ts';
import { BareKey, Secret } from './secrets.ts';
import { type Wait, waitWithTimer } from './time.ts';

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
  v.union([ApiSecret, listOf(ApiSecret, missing)], missing),
  v.transform((given): readonly string[] => [given].flat()),
  v.minLength(1, missing),
);

/** The options of `createPaymentsClient`. Strict, because a misspelt option would otherwise go unnoticed. */
export const PaymentsClientOptions = v.strictObject({
  /** The service's base URL, http(s), including a path prefix if it has one. Live payments need https. */
  baseUrl: BaseUrl,
  /** Signs every request except those of apps. Keep it on the server. Pass several while you replace it: the first signs, all verify callbacks. */
  apiSecret: ApiSecrets,
  /** Sent as `Authorization: Bearer` with signed requests, if given. */
  apiKey: v.optional(HeaderText),
  /** Whether the keys are live, so that real money moves. Records of the other mode are refused with `invalid_options`. Default: `false` if `baseUrl` is http; otherwise both modes are accepted, and the keys count as live unless `baseUrl` is local or reserved for tests (RFC 2606, RFC 6761). */
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
    objectWith<Dialect>('fromWire', 'must come from createDialect()'),
    () => defaultDialect,
  ),
  /** The randomness of the jitter, from 0 to 1. Default: `Math.random`. */
  random: v.optional(aFunction<() => number>(), () => Math.random),
  /** Waits between attempts; must reject only when its signal aborts. Default: a timer. */
  wait: v.optional(aFunction<Wait>(), () => waitWithTimer),
});
export type PaymentsClientOptions = v.InferInput<typeof PaymentsClientOptions>;
