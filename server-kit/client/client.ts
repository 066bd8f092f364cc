import type { Dialect } from '../api/dialect.ts';
import { waitWithTimer } from '../async/wait.ts';
import { createErrorReporter } from '../errors/report-error.ts';
import { type Callback, parseCallback, type VerifyCallbackInput } from '../signing/callbacks.ts';
import { type PaymentsClientOptions, readClientOptions } from './client-options.ts';
import { createCall } from './request/call.ts';
import { createAttemptNotifier } from './request/hooks.ts';
import { createServiceClock } from './request/service-clock.ts';
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
  canBeLive: boolean;
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
    notifyAttempt: createAttemptNotifier(options, now),
    report: createErrorReporter(options.onError),
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
    canBeLive: options.liveMode ?? !isReserved(baseUrl),
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
