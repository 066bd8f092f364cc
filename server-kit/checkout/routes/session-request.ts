import {
  CheckoutError,
  type PaymentPreference,
  parseStoredPaymentsToken,
  type StoredPayment,
} from '../../../src/contract/index.ts';
import type { Wait } from '../../client/async/wait.ts';
import type { PlainRequest } from '../../http/plain-http.ts';
import { type OrderInput, type OrderRequest, parseOrder } from '../order/order-request.ts';
import { orderOf, type Store } from '../ports/store.ts';
import { type ClientSecrets, resemblesClientSecret } from '../shell/client-secret.ts';
import type { PaymentChoice } from '../shell/open-session.ts';
import { bearerToken } from './access/authorization.ts';
import type { RequestLimits } from './access/request-limits.ts';
import { readBody } from './body.ts';

export type SessionRequestParts = {
  wait: Wait;
  /** The local clock decides when a secret expires: no response of the service can end one. */
  now: () => number;
  secrets: Pick<ClientSecrets, 'verify'>;
  store: Pick<Store, 'find'>;
  limits: RequestLimits;
  /** The merchant's own: authorises the request, and returns the order to pay. */
  createPayment: (request: CreatePaymentRequest) => OrderInput | Promise<OrderInput>;
};

/** The part of a browser's request that the merchant's `createPayment` gets. */
export type CreatePaymentRequest = {
  /** The JSON that the page sent: the widget's `body` option. Anybody can send anything. */
  body: unknown;
  /** Without the `Authorization` with which the widget names stored payments; any other one is left in place. */
  headers: Headers;
  /**
   * The order of the payment that this browser last used, and whose secret it still has; otherwise left out. It proves that this
   * *browser* once held that order, not who is using it now: two people may share a phone. Return that order only after you have
   * compared it with the signed-in shopper or a signed cookie. With it, a shopper whose cart was emptied by `onPaid` can come back to
   * the finished order.
   */
  storedOrderId?: string;
  /** Aborts when the browser has gone. */
  signal: AbortSignal;
};

/**
 * Asks the merchant which order the request may pay, and reads which of its payments the page names.
 *
 * @throws {CheckoutError} `unsupported_media_type`, `invalid_request`, `payload_too_large`, `rate_limited`; `invalid_options` if
 *   `createPayment` returns no order; what `createPayment` throws
 */
export async function readSessionRequest(
  parts: SessionRequestParts,
  request: PlainRequest,
): Promise<{ order: OrderRequest; choice: Omit<PaymentChoice, 'kind'> }> {
  const body = await readJson(parts, request);
  const payments = namedPaymentsOf(request);
  const storedOrderId = await findStoredOrderId(parts, payments);
  const input = await parts.createPayment({
    body,
    headers: payments.length === 0 ? request.headers() : withoutAuthorization(request.headers()),
    ...(storedOrderId !== undefined && { storedOrderId }),
    // Created only for those who use it.
    get signal() {
      return request.signal;
    },
  });
  const order = parseOrder(input, 'What createPayment returned');
  await parts.limits.take('sessionsPerOrder', order.orderId);
  const named = new Set(payments.map(({ reference }) => reference));
  return { order, choice: { named, preference: preferenceOf(request) } };
}

/** Accepts only JSON: another site can post a form without a preflight request, but not JSON (Fetch standard). */
async function readJson({ wait }: SessionRequestParts, request: PlainRequest): Promise<unknown> {
  const mediaType = request.header('content-type')?.split(';')[0]?.trim().toLowerCase();
  if (mediaType !== 'application/json') {
    throw new CheckoutError('unsupported_media_type', 'Send JSON, with Content-Type: application/json.');
  }
  const text = await readBody(request, wait);
  try {
    return JSON.parse(text);
  } catch {
    // Without the cause: a SyntaxError quotes the text, which may name the shopper.
    const hint = text === '' ? 'is empty; mount the checkout before any body parser' : 'is not JSON';
    throw new CheckoutError('invalid_request', `The body ${hint}.`);
  }
}

/**
 * Returns the payments that a page names, the last used first. A bearer token is ours if at least one of its parts is a reference with
 * a text that begins as client secrets do; parts of any other form are ignored. Every other `Authorization` (Basic, a JWT, a key) is
 * the merchant's own, and names no payment.
 */
const namedPaymentsOf = (request: PlainRequest): StoredPayment[] =>
  parseStoredPaymentsToken(bearerToken(request)).filter(({ clientSecret }) =>
    resemblesClientSecret(clientSecret),
  );

/** Copies the headers, because those of a web `Request` are the caller's. */
function withoutAuthorization(headers: Headers): Headers {
  const others = new Headers(headers);
  others.delete('authorization');
  return others;
}

/**
 * Returns the order of the first payment whose secret is right and that is recorded. A wrong or expired secret is no error: browsers
 * keep payments for longer than keys.
 */
async function findStoredOrderId(
  { secrets, store, now }: SessionRequestParts,
  payments: readonly StoredPayment[],
): Promise<string | undefined> {
  for (const { reference, clientSecret } of payments) {
    if ((await secrets.verify(clientSecret, reference, now())) === undefined) continue;
    // Found at once, unless the order was purged.
    const order = orderOf(await store.find(reference));
    if (order !== undefined) return order.record.orderId;
  }
  return undefined;
}

/** Parses `Prefer: payment=new` or `existing`, also beside other preferences (RFC 7240, section 2). */
function preferenceOf(request: PlainRequest): PaymentPreference | undefined {
  const [, value] =
    /(?:^|,)\s*payment\s*=\s*"?(new|existing)"?\s*(?:[,;]|$)/i.exec(request.header('prefer') ?? '') ?? [];
  return value?.toLowerCase() as PaymentPreference | undefined;
}
