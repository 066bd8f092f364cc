import { DurableObject } from 'cloudflare:workers';
import { createShopCheckout } from './shop.ts';

/**
 * The whole checkout in one object, so that callbacks reach waiting requests. The memory store lives as long as the object;
 * live payments need a database. The flag `enable_request_signal` reports disconnected browsers.
 */
export class ShopCheckout extends DurableObject {
  readonly #checkout = createShopCheckout();

  override fetch(request: Request): Promise<Response> {
    const response = this.#checkout.handler(request);
    // Keeps the object alive while handlers run; needs a compatibility date of 2026-10-01 or later.
    this.ctx.waitUntil(response.then(this.#checkout.settled));
    return response;
  }
}

type Env = { CHECKOUT: DurableObjectNamespace; PUBLIC_URL: string; RECONCILE_KEY: string };

export default {
  fetch: (request: Request, { CHECKOUT }: Env) => CHECKOUT.getByName('shop').fetch(request),
  /** Nothing runs between requests, so a cron trigger verifies payments that no browser waits for. */
  async scheduled(_event: unknown, { CHECKOUT, PUBLIC_URL, RECONCILE_KEY }: Env) {
    const init = { method: 'POST', headers: { authorization: `Bearer ${RECONCILE_KEY}` } };
    const response = await CHECKOUT.getByName('shop').fetch(`${PUBLIC_URL}/checkout/reconcile`, init);
    if (!response.ok) throw new Error(`Reconcile returned ${response.status}.`);
  },
};
