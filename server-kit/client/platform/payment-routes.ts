import * as v from 'valibot';
import {
  CheckoutError,
  contractHeaders,
  type PaymentPreference,
  type PaymentView,
  type Session,
} from '../../../src/contract/index.ts';
import type { Payment } from '../api/payment.ts';
import { settleWithin, waitWithTimer } from '../async/wait.ts';
import { PaymentsError } from '../errors/payments-error.ts';
import { toCheckoutError } from '../errors/to-checkout-error.ts';
import { readJson } from '../http/body.ts';
import { etagOf, matchesEtag } from '../http/etag.ts';
import { type FetchHandler, toFetchHandler } from '../http/fetch.ts';
import {
  headersOfPage,
  lastSegments,
  preferenceOf,
  referenceIn,
  refuseOtherContract,
} from '../http/page-request.ts';
import type { PlainHandler, PlainRequest, PlainResponse } from '../http/plain-http.ts';
import { commonHeaders, exposedHeaders, toProblem, toRefusal } from '../http/responses.ts';
import { createMissingSecretReport, secretOf, unauthorized } from '../http/secret-header.ts';
import { aFunction, objectWith, parseOptions } from '../options/parse-options.ts';
import { createClientSecrets } from '../signing/client-secret.ts';
import { ClientSecretKeys } from '../signing/client-secret-keys.ts';
import { mayBeUnknownYet, type PaymentService } from './opened-payment.ts';
import { type PlatformPayment, toPaymentView } from './payment-view.ts';
import { createSpacedVerify } from './spaced-verify.ts';

/** A page's request for its payment. */
export type FindPaymentRequest = {
  /** The JSON that the page sent: the widget's `body` option. Anybody can send anything. */
  body: unknown;
  /** Without the header with which the widget names stored payments: `Checkout-Secret`, or `Authorization` from older widgets. Any other `Authorization` is left in place. */
  headers: Headers;
  /** `new`: the shopper wants another account, because the payment has ended. `existing`: a payment must not be opened. */
  preference: PaymentPreference | undefined;
};

const PaymentRoutesOptions = v.strictObject({
  /** What `createPaymentsClient` returns. */
  client: objectWith<PaymentService>('payments', 'must be what createPaymentsClient() returns'),
  /** The keys of the client secrets, at least 32 characters each: the first signs, all verify. */
  clientSecretKeys: ClientSecretKeys,
  /**
   * Returns the stored payment of the caller's order, or `undefined` if it has none. Authorise the caller here: throw
   * `new CheckoutError('forbidden')` for somebody else's order.
   */
  findPayment: aFunction<(request: FindPaymentRequest) => Promise<PlatformPayment | undefined>>(),
  /** Returns the stored payment with this reference, for a page that polls it. */
  retrievePayment: aFunction<(reference: string) => Promise<PlatformPayment | undefined>>(),
  /**
   * Called with each response of the service before the page is shown what it says: confirm your order here if `isPaid`. Must be
   * idempotent. If it rejects, the page gets `internal_error` and polls again: it never shows "paid" for an order that is not.
   */
  onVerified: v.optional(aFunction<(opened: PlatformPayment, payment: Payment) => Promise<void>>()),
  /**
   * Called with each failure that a page gets as a 5xx, and with each verification that failed for a session, for your log; and at most
   * once a minute with `session_unauthorized` when a read has no client secret, because a proxy may remove the header.
   */
  onError: v.optional(aFunction<(error: unknown) => void>()),
  /** The local clock, in milliseconds since the epoch. Default: `Date.now`. */
  now: v.optional(aFunction<() => number>(), () => Date.now),
});
export type PaymentRoutesOptions = v.InferInput<typeof PaymentRoutesOptions>;

/** The routes that the widget calls, over web requests, and over plain values for `toNodeListener`. */
export type PaymentRoutes = { handler: FetchHandler; respond: PlainHandler };

/** Long enough for late money, and for reversals. */
const secretLifetimeSeconds = 37 * 24 * 3600;

/** A payment is verified at most this often, whatever its pages request. */
const verifyEveryMs = 3000;

/** The longest that a page without an account waits for a verification. */
const patienceMs = 4000;

const pollMs = 5000;

/** Ended payments rarely change. */
const rarePollMs = 15_000;

/**
 * Creates the routes with which the widget shows payments of a platform with orders of its own: `POST …/sessions` and
 * `GET …/sessions/{reference}`. The end of the path selects the route, so it does not matter where they are mounted. They keep nothing:
 * each view comes from your stored payment and a fresh verification. While the service does not respond, a session still has the stored
 * account, unverified; a poll gets 503.
 *
 * A page of another origin needs CORS headers, which are your framework's business. Each open page causes a verification every five
 * seconds: `createCheckout` has a budget for that, long polls, and limits.
 *
 * @throws {CheckoutError} `invalid_options`, naming each invalid option
 */
export function createPaymentRoutes(options: PaymentRoutesOptions): PaymentRoutes {
  const settings = parseOptions(PaymentRoutesOptions, options, 'createPaymentRoutes');
  const { client, clientSecretKeys, now, onError } = settings;
  const secrets = createClientSecrets(clientSecretKeys, secretLifetimeSeconds);
  const verify = createSpacedVerify(client.payments, now, verifyEveryMs);
  const reportMissingSecret = createMissingSecretReport(now, (error) => onError?.(error));
  const parts: Parts = { ...settings, secrets, verify, reportMissingSecret };
  const respond: PlainHandler = async (request) => {
    try {
      refuseOtherContract(request);
      return await route(parts, request);
    } catch (error) {
      const refusal = toRefusal(error instanceof PaymentsError ? toCheckoutError(error) : error);
      const response = toProblem(refusal);
      if (response.status >= 500) onError?.(error);
      return response;
    }
  };
  return { respond, handler: toFetchHandler(respond) };
}

type Parts = v.InferOutput<typeof PaymentRoutesOptions> & {
  secrets: ReturnType<typeof createClientSecrets>;
  verify: (reference: string) => Promise<Payment>;
  reportMissingSecret: () => void;
};

async function route(parts: Parts, request: PlainRequest): Promise<PlainResponse> {
  const [last, beforeLast] = lastSegments(request.url);
  if (request.method === 'POST' && last === 'sessions') return postSession(parts, request);
  if (request.method === 'GET' && beforeLast === 'sessions') return getSession(parts, request);
  throw new CheckoutError('not_found', 'The routes are POST …/sessions and GET …/sessions/{reference}.');
}

async function postSession(parts: Parts, request: PlainRequest): Promise<PlainResponse> {
  const body = await readJson(request, waitWithTimer);
  const opened = await parts.findPayment({
    body,
    headers: headersOfPage(request),
    preference: preferenceOf(request),
  });
  if (opened === undefined) {
    throw new CheckoutError('session_unknown', 'The order has no payment; open one, and store it.');
  }
  const verification = settleWithin(waitWithTimer, patienceMs, verifyStored(parts, opened));
  const payment = await verification.catch((error: unknown) => void parts.onError?.(error));
  const view = await viewOf(parts, opened, payment);
  const expiresAtSeconds = Math.floor(Date.parse(opened.expiresAt) / 1000) + secretLifetimeSeconds;
  const { reference, liveMode } = opened;
  const clientSecret = await parts.secrets.issue({ reference, liveMode, expiresAtSeconds });
  return viewResponse(parts, request, view, { ...view, clientSecret });
}

async function getSession(parts: Parts, request: PlainRequest): Promise<PlainResponse> {
  const reference = referenceIn(request.url);
  const secret = secretOf(request);
  const claims = await parts.secrets.verify(secret, reference, parts.now());
  const opened = claims && (await parts.retrievePayment(reference));
  if (opened === undefined) {
    if (secret === '') parts.reportMissingSecret();
    throw unauthorized(secret);
  }
  const payment = await verifyStored(parts, opened);
  return viewResponse(parts, request, await viewOf(parts, opened, payment));
}

/** What the service says of a payment: `undefined` for nothing yet, `null` if it does not know it any more. */
type Verified = Payment | null | undefined;

async function verifyStored({ client, verify }: Parts, opened: PlatformPayment): Promise<Verified> {
  try {
    return await verify(opened.reference);
  } catch (error) {
    if (!(error instanceof PaymentsError) || error.code !== 'not_found') throw error;
    return mayBeUnknownYet(opened, client.serviceNow()) ? undefined : null;
  }
}

/** Returns the payment's view, once the platform has recorded what the service says. */
async function viewOf(
  { client, onVerified }: Parts,
  opened: PlatformPayment,
  payment: Verified,
): Promise<PaymentView> {
  if (payment) await onVerified?.(opened, payment);
  return toPaymentView(opened, payment, client.dialect);
}

async function viewResponse(
  { client }: Parts,
  request: PlainRequest,
  view: PaymentView,
  session?: Session,
): Promise<PlainResponse> {
  const etag = await etagOf(view);
  const isKnown = session === undefined && matchesEtag(request.header('if-none-match'), etag);
  const isOpen = view.outcome === 'pending' || view.outcome === 'unclear';
  const headers = {
    ...commonHeaders,
    etag,
    'access-control-expose-headers': exposedHeaders.join(', '),
    [contractHeaders.serviceTime]: String(Math.round(client.serviceNow())),
    [contractHeaders.nextPoll]: String(isOpen ? pollMs : rarePollMs),
  };
  if (isKnown) return { status: 304, headers, body: undefined };
  return {
    status: 200,
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(session ?? view),
  };
}
