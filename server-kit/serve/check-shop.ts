import { randomUUID } from 'node:crypto';
import { createGetOrder } from './get-order.ts';
import type { Settings } from './settings.ts';
import { createPost } from './signed-post.ts';

export type ShopCheck = { name: 'ORDER_URL' | 'WEBHOOK_URL'; fault: string | undefined };

/**
 * Sends a test request to each address of the shop. `ORDER_URL` may refuse it, because it has no shopper's cookie. `WEBHOOK_URL` gets an
 * event of the type `test`, which it must acknowledge without doing anything.
 */
export async function checkShop(
  settings: Settings,
  { fetch, now }: { fetch: typeof globalThis.fetch; now: () => number },
): Promise<ShopCheck[]> {
  const post = createPost({ fetch, now });
  const { signal } = new AbortController();
  const getOrder = createGetOrder(settings, post);
  const order = await getOrder({ body: null, headers: new Headers(), signal }).then(
    () => undefined,
    (error: Error & { code?: string }) => (error.code === 'forbidden' ? undefined : error.message),
  );
  const event = { type: 'test', timestamp: new Date(now()).toISOString(), data: {} };
  const { WEBHOOK_URL: url, WEBHOOK_SECRET: secrets } = settings;
  const webhook = await post({ url, secrets, id: `test_${randomUUID()}`, body: event, timeoutMs: 5000 }).then(
    ({ ok, status }) =>
      ok
        ? undefined
        : `${url} responded with ${status}; it must respond to an event of the type "test" with 2xx.`,
    (error: Error) => `${url} cannot be reached: ${error.message}`,
  );
  return [
    { name: 'ORDER_URL', fault: order },
    { name: 'WEBHOOK_URL', fault: webhook },
  ];
}
