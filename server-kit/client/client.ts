import type { Dialect } from './api/dialect.ts';
import { type PaymentsClientOptions, readClientOptions } from './client-options.ts';
import { createErrorReporter } from './errors/report-error.ts';
import { isReserved } from './http/host-names.ts';
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
import { type Callback, parseCallback, type VerifyCallbackInput } from './signing/callbacks.ts';

/** The input of `parseCallback` that the client adds itself. */
type KnownToClient = 'secrets' | 'now' | 'dialect';

type ClientCallbackInput = Omit<VerifyCallbackInput, KnownToClient> & {
  /** The moment at which the timestamp is checked, in milliseconds since the epoch. Default: the service's time. */
  now?: number;
};

export type PaymentsClient = {
  dedicatedAccounts: DedicatedAccountsResource;
  payments: PaymentsResource;
  checkout: CheckoutResource;
  invoices: InvoicesResource;
  payouts: PayoutsResource;
  taxRates: TaxRatesResource;
  apps: AppsResource;
  /**
   * As `parseCallback`, with the client's secrets and dialect and the service's clock.
   *
   * @throws {SignatureError} for a callback that cannot be trusted
   */
  parseCallback: (input: ClientCallbackInput) => Promise<Callback>;
  /** The service's time in milliseconds since the epoch, from the `Date` of its responses. */
  serviceNow: () => number;
  /** How far that clock is ahead of the local one, in milliseconds; `undefined` before the first response. */
  clockOffsetMs: () => number | undefined;
  /** The mode of the keys; `undefined` if `liveMode` was not given, and `baseUrl` is https. */
  liveMode: boolean | undefined;
  /** Whether real money may move: `liveMode`, or, if that is not given, whether `baseUrl` may be a live service. */
  canBeLive: boolean;
  /** The dialect in force. */
  dialect: Readonly<Dialect>;
  /**
   * Returns the name of the option that holds a value, such as `apiSecret`; `undefined` for none. `createCheckout` refuses keys
   * with it, and so reads no secret. For keys of the server only: the comparison stops at the first difference.
   */
  findCredential: (value: string) => 'apiKey' | 'apiSecret' | 'authToken' | undefined;
};

/**
 * Creates a client of the payments service: signed requests, typed responses, typed errors, retries.
 *
 * @throws {CheckoutError} `invalid_options`, naming each invalid or unknown option
 */
export function createPaymentsClient(options: PaymentsClientOptions): PaymentsClient {
  const settings = readClientOptions(options);
  const { baseUrl, apiSecret: apiSecrets, apiKey, authToken, liveMode, dialect, now } = settings;
  const { fetch, wait, random, timeoutMs, retry } = settings;
  const clock = createServiceClock(now);
  const call = createCall({
    baseUrl,
    apiKey,
    apiSecrets,
    authToken,
    liveMode,
    dialect,
    clock,
    fetch,
    now,
    wait,
    random,
    timeoutMs,
    retry,
    notifyAttempt: createAttemptNotifier(settings, now),
    report: createErrorReporter(settings.onError),
  });
  return {
    dedicatedAccounts: createDedicatedAccountsResource(call),
    payments: createPaymentsResource(call),
    checkout: createCheckoutResource(call),
    invoices: createInvoicesResource(call),
    payouts: createPayoutsResource(call),
    taxRates: createTaxRatesResource(call),
    apps: createAppsResource(call),
    parseCallback: ({ now = clock.now(), ...input }) =>
      parseCallback({ ...input, secrets: apiSecrets, now, dialect }),
    serviceNow: clock.now,
    clockOffsetMs: () => (clock.isKnown() ? clock.offsetMs() : undefined),
    liveMode,
    canBeLive: liveMode ?? !isReserved(new URL(baseUrl).hostname),
    dialect,
    findCredential(value) {
      const isOneOf = (secrets: readonly (string | undefined)[]): boolean => secrets.includes(value);
      if (isOneOf(apiSecrets)) return 'apiSecret';
      if (isOneOf([apiKey])) return 'apiKey';
      return isOneOf([authToken]) ? 'authToken' : undefined;
    },
  };
}
