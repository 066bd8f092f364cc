import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import { CheckoutError } from '../../src/contract/index.ts';
import type { GetOrderRequest, OrderInput } from '../engine/order/request.ts';
import type { Settings } from './settings.ts';
import type { Post } from './signed-post.ts';

/** How long the shop may take. */
const timeoutMs = 5000;

/** What the shop responds with: the order that this shopper pays. */
const ShopOrder = v.looseObject({
  orderId: v.string(),
  /** In minor units: 650000 is ₦6,500.00. */
  amount: v.object({ value: v.number(), currency: v.string() }),
  customer: v.optional(v.looseObject({})),
});

const Refusal = v.object({ message: v.string() });

/** The responses that refuse the shopper. Anything else but 200 is an outage, and the page tries again. */
const refusals = [401, 403, 404, 409];

/**
 * Creates the `getOrder` that asks `ORDER_URL`. The page's body, its cookies, its `Accept-Language` and the shopper's address are passed
 * on, and nothing else of its request.
 */
export function createGetOrder({ ORDER_URL: url, ORDER_SECRET, WEBHOOK_SECRET }: Settings, post: Post) {
  return async ({ body, headers, address, storedOrderId, signal }: GetOrderRequest) => {
    const passedOn = [...headers].filter(([name]) => ['cookie', 'accept-language'].includes(name));
    const response = await post({
      url,
      secrets: ORDER_SECRET ?? WEBHOOK_SECRET,
      id: `order_${randomUUID()}`,
      body: { body, address, storedOrderId },
      headers: Object.fromEntries(passedOn),
      timeoutMs,
      signal,
    }).catch((cause: unknown) => {
      throw outage(`${url} cannot be reached: ${(cause as Error).message}`, cause);
    });
    return readOrder(url, response);
  };
}

async function readOrder(url: string, response: Response): Promise<OrderInput> {
  const { status } = response;
  const content: unknown = await response.json().catch(() => undefined);
  if (refusals.includes(status)) {
    const { success, output } = v.safeParse(Refusal, content);
    throw new CheckoutError(
      'forbidden',
      success ? output.message : `The shop refused the order with ${status}.`,
    );
  }
  if (status !== 200) throw outage(`${url} responded with ${status}.`);
  const order = v.safeParse(ShopOrder, content);
  if (!order.success)
    throw outage(`${url} did not respond with { orderId, amount: { value, currency }, customer? } as JSON.`);
  // The checkout checks the rest, and names what is wrong.
  return order.output as OrderInput;
}

const outage = (message: string, cause?: unknown): CheckoutError =>
  new CheckoutError('service_unavailable', message, { cause });
