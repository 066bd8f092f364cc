import { DurableObject } from 'cloudflare:workers';
import { createShopCheckout } from './shop.ts';

/**
 * All of the checkout in one object: callbacks meet those who wait for them. The memory store lives as long as the object;
 * live payments need a database. The flag `enable_request_signal` lets go of browsers that have gone.
 */
export class ShopCheckout extends DurableObject {
  readonly #checkout = createShopCheckout();

  override fetch(request: Request): Promise<Response> {
    const answer = this.#checkout.handler(request);
    // Keeps the object while handlers run; it needs a compatibility date of 2026-10-01 or later.
    this.ctx.waitUntil(answer.then(this.#checkout.settled));
    return answer;
  }
}

type Env = { CHECKOUT: DurableObjectNamespace; PUBLIC_URL: string; RECONCILE_KEY: string };

export default {
  fetch: (request: Request, { CHECKOUT }: Env) => CHECKOUT.getByName('shop').fetch(request),
  /** Nothing runs between requests: a cron trigger looks after payments for which no browser waits. */
  async scheduled(_event: unknown, { CHECKOUT, PUBLIC_URL, RECONCILE_KEY }: Env) {
    const init = { method: 'POST', headers: { authorization: `Bearer ${RECONCILE_KEY}` } };
    const answer = await CHECKOUT.getByName('shop').fetch(`${PUBLIC_URL}/checkout/reconcile`, init);
    if (!answer.ok) throw new Error(`Reconcile answered ${answer.status}.`);
  },
};
