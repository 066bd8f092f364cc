import { DurableObject } from 'cloudflare:workers';
import { Hono } from 'hono';
import { createShop, type ShopEnv } from './shop.ts';

/**
 * The whole shop in one object, so that callbacks reach waiting requests, and connections to PostgreSQL are its own: a Worker cannot
 * share them between requests. Without `DATABASE_URL`, the checkout's records live as long as the object.
 */
export class Shop extends DurableObject<ShopEnv> {
  readonly #shop = createShop(this.env, this.ctx.storage.kv);
  readonly #app = new Hono()
    .post('/orders', ({ header, redirect }) => {
      header('set-cookie', `order=${this.#shop.createOrder()}; Path=/; HttpOnly; SameSite=Lax`);
      return redirect('/pay', 303);
    })
    .all('/checkout/*', ({ req }) => this.#shop.checkout.handler(req.raw));

  override async fetch(request: Request): Promise<Response> {
    const response = await this.#app.fetch(request);
    // Keeps the object alive while handlers run; needs a compatibility date of 2026-10-01 or later.
    this.ctx.waitUntil(this.#shop.checkout.settled());
    return response;
  }
}

type Env = ShopEnv & { SHOP: DurableObjectNamespace<Shop> };

export default {
  fetch: (request, { SHOP }) => SHOP.getByName('shop').fetch(request),
  /** Nothing runs between requests, so a cron trigger verifies payments that no browser waits for. */
  async scheduled(_event, { SHOP, PUBLIC_URL, OPERATOR_KEY }) {
    const init = { method: 'POST', headers: { authorization: `Bearer ${OPERATOR_KEY}` } };
    const response = await SHOP.getByName('shop').fetch(`${PUBLIC_URL}/checkout/reconcile`, init);
    if (!response.ok) throw new Error(`Reconcile returned ${response.status}.`);
  },
} satisfies ExportedHandler<Env>;
