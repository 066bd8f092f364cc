import { CheckoutError } from '../../src/contract/index.ts';
import { type CallInput, type CallOptions, callEndpoint } from './call.ts';
import { PaymentsClientOptions } from './client-options.ts';
import type { CheckoutLinkRequest, Endpoint, PaymentInitiationRequest } from './endpoints.ts';
import { paymentEndpoints } from './endpoints.ts';
import { parseOptions } from './options.ts';
import { type ParseCallbackInput, parseCallback } from './signature.ts';
import { createServiceClock } from './time.ts';

/** Whether no public system can be at a URL's host name: it is this machine's, or reserved for tests and examples (RFC 2606, RFC 6761). */
export const isReservedHost = (hostname: string): boolean =>
  /^((.+\.)?localhost\.?|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname) ||
  /^(.+\.)?(test|example|invalid|example\.(com|net|org))\.?$/.test(hostname);

export type PaymentsClient = ReturnType<typeof createPaymentsClient>;

/** The secrets of each client with the names of their options. Not in the client, where a log could find them. */
export const credentials = new WeakMap<object, Record<string, unknown>>();

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
