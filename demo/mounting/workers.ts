import { DurableObject } from 'cloudflare:workers';
import { createShopCheckout } from './shop.ts';

/**
 * All of the checkout in one object, so that a callback meets those who wait for it, and the memory store's records are
 * in one place: for as long as the object lives, which is no place for live payments.
 */
export class ShopCheckout extends DurableObject {
  readonly #checkout = createShopCheckout();

  override fetch(request: Request): Promise<Response> {
    const answer = this.#checkout.handler(request);
    this.ctx.waitUntil(answer.then(this.#checkout.settled));
    return answer;
  }
}

type Env = { CHECKOUT: DurableObjectNamespace; PUBLIC_URL: string; RECONCILE_KEY: string };

const post = (key: string) => ({ method: 'POST', headers: { authorization: `Bearer ${key}` } });

export default {
  fetch: (request: Request, { CHECKOUT }: Env) => CHECKOUT.getByName('shop').fetch(request),
  // Nothing runs between requests: a cron trigger looks after payments for which no browser waits.
  scheduled: (_event: unknown, { CHECKOUT, PUBLIC_URL, RECONCILE_KEY }: Env) =>
    CHECKOUT.getByName('shop').fetch(`${PUBLIC_URL}/checkout/reconcile`, post(RECONCILE_KEY)),
};
