import { createCall } from './call.ts';
import { type Callback, parseCallback, type VerifyCallbackInput } from './callbacks.ts';
import { readClientOptions } from './client-options.ts';
import type { Dialect, DialectChoices } from './dialect.ts';
import { createAnnouncer, type Hooks } from './hooks.ts';
import { createReport } from './report.ts';
import { type AppsResource, createAppsResource } from './resources/apps.ts';
import { type CheckoutResource, createCheckoutResource } from './resources/checkout.ts';
import {
  createDedicatedAccountsResource,
  type DedicatedAccountsResource,
} from './resources/dedicated-accounts.ts';
import { createInvoicesResource, type InvoicesResource } from './resources/invoices.ts';
import { createPaymentsResource, type PaymentsResource } from './resources/payments.ts';
import { createPayoutsResource, type PayoutsResource } from './resources/payouts.ts';
import { createTaxRatesResource, type TaxRatesResource } from './resources/tax-rates.ts';
import type { RetryPolicy } from './retry.ts';
import { createServiceClock } from './service-clock.ts';
import { type Wait, waitWithTimer } from './wait.ts';

export type PaymentsClientOptions = Hooks & {
  /** The service's base address, http(s), with its prefix where it has one: `https://api.example/service`. */
  baseUrl: string;
  /**
   * Signs every request but those of apps. Stays on the server. While it is being replaced: several, of which the first
   * signs, and any may have signed a callback.
   */
  apiSecret: string | readonly string[];
  /** Sent as `Authorization: Bearer` with what is signed, where given. */
  apiKey?: string | undefined;
  /**
   * Whether the keys are of live mode, where real money moves. A response with a record of the other mode is then refused
   * with `invalid_options`. Default: they may be, unless `baseUrl` is an address of this machine, or one that is reserved for
   * examples and tests (RFC 2606, RFC 6761), and records of both modes are taken.
   */
  liveMode?: boolean | undefined;
  /** Sent as `Authorization: Bearer` for apps (interface, sections 4.13 and 4.14), which are not signed. */
  authToken?: string | undefined;
  /** Default: the runtime's own. A sandbox's `fetch` makes the client talk to it without a network. */
  fetch?: typeof globalThis.fetch | undefined;
  /** The local clock in milliseconds since the epoch. Default: `Date.now`. */
  now?: (() => number) | undefined;
  /** For each attempt, the answer's body included. Default: 15,000. */
  timeoutMs?: number | undefined;
  /** Default: 3 retries with full jitter, the first pause up to 250 ms, doubling up to 8 s. */
  retry?: { [Name in keyof RetryPolicy]?: RetryPolicy[Name] | undefined } | undefined;
  /** What the interface leaves open. */
  dialect?: DialectChoices | undefined;
  /** Randomness for the jitter, 0 to 1. Default: `Math.random`. */
  random?: (() => number) | undefined;
  /** How to wait between attempts. Default: a timer. */
  wait?: Wait | undefined;
};

/** What the client adds to a callback by itself. */
type KnownToClient = 'secrets' | 'now' | 'dialect';

export type PaymentsClient = {
  dedicatedAccounts: DedicatedAccountsResource;
  payments: PaymentsResource;
  checkout: CheckoutResource;
  invoices: InvoicesResource;
  payouts: PayoutsResource;
  taxRates: TaxRatesResource;
  apps: AppsResource;
  /**
   * `parseCallback` with the client's secrets and dialect, by the service's clock.
   *
   * @throws {SignatureError} for a callback that must not be believed
   */
  parseCallback: (input: Omit<VerifyCallbackInput, KnownToClient>) => Promise<Callback>;
  /** The time at the service in milliseconds since the epoch, learned from the `Date` of its answers. */
  serviceNow: () => number;
  /** How far that clock is ahead of the local one, in milliseconds; `undefined` before the first answer. */
  clockOffsetMs: () => number | undefined;
  /** The mode of the keys, where it was given. */
  liveMode: boolean | undefined;
  /** Whether real money may move: `liveMode`, where it was given. */
  mayBeLive: boolean;
  /** The choices in force. */
  dialect: Readonly<Dialect>;
};

/**
 * A client of the payments service: signed requests, typed answers, typed errors, retries.
 *
 * @throws {PaymentsError} `invalid_options`, saying which one and what to pass instead
 */
export function createPaymentsClient(options: PaymentsClientOptions): PaymentsClient {
  const { baseUrl, apiSecrets, timeoutMs, retry, dialect } = readClientOptions(options);
  const { apiKey, authToken, now = Date.now, random = Math.random, wait = waitWithTimer } = options;
  const clock = createServiceClock(now);
  const call = createCall({
    baseUrl,
    apiKey,
    apiSecrets,
    authToken,
    // Called as a plain function: browsers and workers refuse a fetch that lost its global object.
    fetch: options.fetch ?? ((input, init) => globalThis.fetch(input, init)),
    now,
    wait,
    random,
    clock,
    dialect,
    liveMode: options.liveMode,
    timeoutMs,
    retry,
    announce: createAnnouncer(options, now),
    report: createReport(options.onError),
  });
  return {
    dedicatedAccounts: createDedicatedAccountsResource(call),
    payments: createPaymentsResource(call),
    checkout: createCheckoutResource(call),
    invoices: createInvoicesResource(call),
    payouts: createPayoutsResource(call),
    taxRates: createTaxRatesResource(call),
    apps: createAppsResource(call),
    parseCallback: (input) => parseCallback({ ...input, secrets: apiSecrets, now: clock.now(), dialect }),
    serviceNow: clock.now,
    clockOffsetMs: () => (clock.isKnown() ? clock.offsetMs() : undefined),
    liveMode: options.liveMode,
    mayBeLive: options.liveMode ?? !isReserved(baseUrl),
    dialect,
  };
}

/** Whether no live service can be at this address. */
function isReserved(baseUrl: string): boolean {
  const { hostname } = new URL(baseUrl);
  return /^(127(\.\d+){3}|\[::1\]|(.+\.)?(localhost|test|example|invalid|example\.(com|net|org)))$/.test(
    hostname,
  );
}
