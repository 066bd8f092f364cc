import type { StoredPayment } from '../../../src/contract/index.ts';
import { readJson } from '../../client/http/body.ts';
import { headersOfPage, namedPaymentsOf, preferenceOf } from '../../client/http/page-request.ts';
import type { PlainRequest } from '../../client/http/plain-http.ts';
import { type OrderRequest, parseOrder } from '../order/request.ts';
import type { PaymentChoice } from '../shell/session.ts';
import { noteIgnored } from '../telemetry/log.ts';
import type { RouteParts } from './parts.ts';

/**
 * Asks the merchant which order the request may pay, and reads which of its payments the page names.
 *
 * @throws {CheckoutError} `unsupported_media_type`, `invalid_request`, `payload_too_large`; `invalid_options` if
 *   `getOrder` returns no order; what `getOrder` throws
 */
export async function readSessionRequest(
  parts: RouteParts,
  request: PlainRequest,
): Promise<{ order: OrderRequest; choice: Omit<PaymentChoice, 'kind'> }> {
  const body = await readJson(request, parts.wait);
  const payments = namedPaymentsOf(request);
  const storedOrderId = await findStoredOrderId(parts, payments);
  const input = await parts.getOrder({
    body,
    headers: headersOfPage(request),
    ...(storedOrderId !== undefined && { storedOrderId }),
    // Created only for those who use it.
    get signal() {
      return request.signal;
    },
  });
  const order = parseOrder(input, 'What getOrder returned', noteIgnored(parts.log));
  const named = new Set(payments.map(({ reference }) => reference));
  return { order, choice: { named, preference: preferenceOf(request) } };
}

/**
 * Returns the order of the first payment whose secret is right and that is recorded. A wrong or expired secret is not an error: browsers
 * keep payments for longer than keys.
 */
async function findStoredOrderId(
  { secrets, store, now }: RouteParts,
  payments: readonly StoredPayment[],
): Promise<string | undefined> {
  for (const { reference, clientSecret } of payments) {
    if ((await secrets.verify(clientSecret, reference, now())) === undefined) continue;
    // Found at once, unless the order was deleted.
    const order = await store.find(reference);
    if (order !== undefined) return order.record.orderId;
  }
  return undefined;
}
