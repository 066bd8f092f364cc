import type { StoredPayment } from '../../../src/contract/index.ts';
import type { Wait } from '../../client/async/wait.ts';
import { readJson } from '../../client/http/body.ts';
import { headersOfPage, namedPaymentsOf, preferenceOf } from '../../client/http/page-request.ts';
import type { PlainRequest } from '../../client/http/plain-http.ts';
import type { ClientSecrets } from '../../client/signing/client-secret.ts';
import { type OrderInput, type OrderRequest, parseOrder } from '../order/order-request.ts';
import type { Store } from '../ports/store.ts';
import type { PaymentChoice } from '../shell/open-session.ts';
import { type Log, noteIgnored } from '../telemetry/log.ts';

export type SessionRequestParts = {
  wait: Wait;
  /** The local clock decides when a secret expires: no response of the service can end one. */
  now: () => number;
  secrets: Pick<ClientSecrets, 'verify'>;
  store: Pick<Store, 'find'>;
  log: Log;
  /** The merchant's own: authorises the request, and returns the order to pay. */
  createPayment: (request: CreatePaymentRequest) => OrderInput | Promise<OrderInput>;
};

/** The part of a browser's request that the merchant's `createPayment` gets. */
export type CreatePaymentRequest = {
  /** The JSON that the page sent: the widget's `body` option. Anybody can send anything. */
  body: unknown;
  /** Without the header with which the widget names stored payments: `Checkout-Secret`, or `Authorization` from older widgets. Any other `Authorization` is left in place. */
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
 * @throws {CheckoutError} `unsupported_media_type`, `invalid_request`, `payload_too_large`; `invalid_options` if
 *   `createPayment` returns no order; what `createPayment` throws
 */
export async function readSessionRequest(
  parts: SessionRequestParts,
  request: PlainRequest,
): Promise<{ order: OrderRequest; choice: Omit<PaymentChoice, 'kind'> }> {
  const body = await readJson(request, parts.wait);
  const payments = namedPaymentsOf(request);
  const storedOrderId = await findStoredOrderId(parts, payments);
  const input = await parts.createPayment({
    body,
    headers: headersOfPage(request),
    ...(storedOrderId !== undefined && { storedOrderId }),
    // Created only for those who use it.
    get signal() {
      return request.signal;
    },
  });
  const order = parseOrder(input, 'What createPayment returned', noteIgnored(parts.log));
  const named = new Set(payments.map(({ reference }) => reference));
  return { order, choice: { named, preference: preferenceOf(request) } };
}

/**
 * Returns the order of the first payment whose secret is right and that is recorded. A wrong or expired secret is not an error: browsers
 * keep payments for longer than keys.
 */
async function findStoredOrderId(
  { secrets, store, now }: SessionRequestParts,
  payments: readonly StoredPayment[],
): Promise<string | undefined> {
  for (const { reference, clientSecret } of payments) {
    if ((await secrets.verify(clientSecret, reference, now())) === undefined) continue;
    // Found at once, unless the order was deleted.
    const { record } = await store.find({ reference });
    if (record !== null) return record.orderId;
  }
  return undefined;
}
