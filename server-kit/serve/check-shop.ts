import { randomUUID } from 'node:crypto';
import { createGetOrder } from './get-order.ts';
import type { Settings } from './settings.ts';
import { createPost, type Post } from './signed-post.ts';

export type ShopCheck = { name: 'ORDER_URL' | 'WEBHOOK_URL'; fault: string | undefined };

/**
 * Sends a test request to each address of the shop. `ORDER_URL` may refuse it, because it has no shopper's cookie, but not as it refuses
 * a wrong signature. `WEBHOOK_URL` gets an event of the type `test`, which it must acknowledge without doing anything.
 */
export async function checkShop(
  settings: Settings,
  { fetch, now }: { fetch: typeof globalThis.fetch; now: () => number },
): Promise<ShopCheck[]> {
  const post = createPost({ fetch, now });
  const order = (await findOrderFault(settings, post)) ?? (await findSignatureFault(settings, post));
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

const findOrderFault = (settings: Settings, post: Post): Promise<string | undefined> =>
  createGetOrder(
    settings,
    post,
  )({ body: null, headers: new Headers(), signal: new AbortController().signal }).then(
    () => undefined,
    (error: Error & { code?: string }) => (error.code === 'forbidden' ? undefined : error.message),
  );

/** A shop that refuses our signature, or checks none, responds to a wrong one in the same way. */
async function findSignatureFault({ ORDER_URL: url, ...settings }: Settings, post: Post) {
  const wrong = [`whsec_${btoa(randomUUID())}`];
  const statusFor = async (secrets: readonly string[]): Promise<number> =>
    (await post({ url, secrets, id: `order_${randomUUID()}`, body: { body: null }, timeoutMs: 5000 })).status;
  const status = await statusFor(settings.ORDER_SECRET ?? settings.WEBHOOK_SECRET);
  return (await statusFor(wrong)) === status
    ? `${url} responded with ${status} to a right signature and to a wrong one: it refuses the right one, or checks none. Compare ORDER_SECRET (or WEBHOOK_SECRET) with your shop's, and respond to a wrong signature with 400.`
    : undefined;
}
