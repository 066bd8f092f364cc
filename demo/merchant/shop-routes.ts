import type { Checkout } from 'transfer-checkout/server-kit';
import { addressOf, type ShopPageName, shopPages } from '../shop-pages.ts';
import { booksIn, type Carts, currency, totalOf } from './cart.ts';
import { contentSecurityPolicy, renderedPage, type ShopPage, scriptTagPage } from './pages.ts';
import { orderOf } from './shop-checkout.ts';
import { hasEvent, isPaid, type ShopRecords } from './shop-records.ts';

export type ShopRoutesOptions = {
  /** The shop's public URL: `http://localhost:4242`. */
  publicUrl: string;
  checkout: Checkout;
  carts: Carts;
  records: ShopRecords;
  /** Whether the shop uses the sandbox, whose control panel plays the bank. */
  hasSandbox: boolean;
  /** What the visitor should know about the host, such as that it has forgotten earlier orders. */
  notice?: string;
};

type Context = ShopRoutesOptions & {
  /** The path of `publicUrl`: empty at the root of its host. */
  root: string;
};
type Route = (context: Context, request: Request) => Promise<Response>;

type Render = (page: ShopPage, context: Context) => Promise<string>;

const renders: Readonly<Record<ShopPageName, Render>> = {
  'script-tag.html': async (page) => scriptTagPage(page),
  'rendered.html': async (page, { checkout, publicUrl }) =>
    renderedPage(page, await checkout.createSession(orderOf(page.cart, publicUrl))),
};

const routes: Readonly<Record<string, Route>> = {
  ...Object.fromEntries(
    shopPages.map((name) => [`GET /${name.replace('.html', '')}`, pageRoute(name, renders[name])]),
  ),
  'GET /cart': sendCart,
  'POST /cart/new': startNewCart,
  'GET /activity': sendActivity,
  'GET /panel': openPanel,
};

/** The path of a shop, as a prefix: empty at the root of its host. */
export const rootOf = (publicUrl: string): string => new URL(publicUrl).pathname.replace(/\/$/, '');

/** Each page has an address that ends in `.html`, too: that of the file that stands in for it while the hosted demo starts. */
const routeName = (method: string, path: string): string => `${method} ${path.replace(/\.html$/, '')}`;

/** Whether one of the shop's own routes responds to a request. `path` is relative to the shop's root. */
export const isShopRoute = (method: string, path: string): boolean =>
  Object.hasOwn(routes, routeName(method, path));

/**
 * Creates the shop's own routes, besides the checkout and static files. They do not depend on where they run: the demo has a
 * host with node:http and one in a service worker.
 *
 * @returns a handler that resolves with `undefined` for a path of no route, and rejects when the shop's storage or the
 *   payments service fails
 */
export function createShopRoutes(
  options: ShopRoutesOptions,
): (request: Request) => Promise<Response | undefined> {
  const context = { ...options, root: rootOf(options.publicUrl) };
  return async (request) => {
    const path = new URL(request.url).pathname.slice(context.root.length);
    const route = isShopRoute(request.method, path) ? routes[routeName(request.method, path)] : undefined;
    return route?.(context, request);
  };
}

/** Creates a cart on the first visit; later visits keep it, so that a reload shows the same order. */
function pageRoute(name: ShopPageName, render: Render): Route {
  return async (context, { headers }) => {
    const { carts, records, hasSandbox, root } = context;
    const known = await carts.find(headers);
    const { cart, headers: cookies } =
      known === undefined ? await carts.start() : { cart: known, headers: {} };
    const events = await records.eventsOf(cart.orderId);
    const wasPaid = isPaid(events, totalOf(cart));
    const isReversed = hasEvent(events, 'reversed');
    const page = { name, cart, wasPaid, isReversed, root, hasPanel: hasSandbox };
    return new Response(await render(page, context), {
      headers: {
        ...cookies,
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': contentSecurityPolicy,
        'cache-control': 'no-store',
      },
    });
  };
}

async function sendCart(
  { carts, records, hasSandbox, notice }: Context,
  { headers }: Request,
): Promise<Response> {
  const cart = await carts.find(headers);
  if (cart === undefined) return noCart();
  return json({
    orderId: cart.orderId,
    items: booksIn(cart),
    total: { value: totalOf(cart), currency },
    wasPaid: isPaid(await records.eventsOf(cart.orderId), totalOf(cart)),
    controlPanel: hasSandbox ? './panel.html' : null,
    notice: notice ?? null,
  });
}

/** Sends what the shop's handlers were called with for this visitor's order. */
async function sendActivity({ carts, records }: Context, { headers }: Request): Promise<Response> {
  const cart = await carts.find(headers);
  return cart === undefined ? noCart() : json({ events: await records.eventsOf(cart.orderId) });
}

/** Returns to the page with the form: one of the shop's own. */
async function startNewCart({ carts, root }: Context, request: Request): Promise<Response> {
  const back = (await request.formData().catch(() => undefined))?.get('back');
  const { headers } = await carts.start();
  // Absolute, because a response of a service worker has no URL that it could be relative to.
  const location = new URL(addressOf(back), new URL(`${root}/`, request.url)).href;
  return new Response(null, { status: 303, headers: { ...headers, location } });
}

/** The panel is the sandbox's page; `?shop` adds a link back to the shop. */
async function openPanel({ hasSandbox, root }: Context, request: Request): Promise<Response> {
  if (!hasSandbox) return text(404, 'The panel belongs to the sandbox.');
  return Response.redirect(new URL(`${root}/service/_sandbox/panel/?shop`, request.url).href, 302);
}

const noCart = (): Response => text(404, 'There is no cart in this browser; open the shop first.');

const json = (value: unknown): Response => Response.json(value, { headers: { 'cache-control': 'no-store' } });

const text = (status: number, message: string, headers = {}): Response =>
  new Response(`${message}\n`, {
    status,
    headers: { 'content-type': 'text/plain; charset=utf-8', ...headers },
  });
