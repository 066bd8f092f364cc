import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import sirv from 'sirv';
import { createSandbox, sandboxCredentials } from 'transfer-checkout/sandbox';
import { createSandboxListener } from 'transfer-checkout/sandbox/node';
import {
  CheckoutError,
  createCheckout,
  createMemoryStore,
  createPaymentsClient,
} from 'transfer-checkout/server-kit';
import { type NodeListener, toNodeListener } from 'transfer-checkout/server-kit/node';
import { books, createCart, createCartCookies, totalOf } from './cart.ts';
import type { Settings } from './settings.ts';

export type ShopAppOptions = {
  /** Where the shop is reached: `http://localhost:4242`. */
  publicUrl: string;
  /** The service to talk to; the sandbox where there is none. */
  service: Settings['service'];
  /** The built pages, and the built package with `checkout.js`. */
  folders: { pages: string; package: string };
};

/** What a careful shop sends: the widget has to work under it. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'self'",
  "require-trusted-types-for 'script'",
].join('; ');

/**
 * The demo's merchant server: a small shop, its checkout proxy at `/checkout`, and, unless another service is set,
 * the sandbox at `/service` with its control panel at `/panel`.
 */
export function createShopApp({ publicUrl, service, folders }: ShopAppOptions): NodeListener {
  const carts = createCartCookies(randomBytes(32).toString('hex'));
  // The shop's own record of what it has been paid for: what its order table would say.
  const paidOrders = new Set<string>();
  const checkout = createShopCheckout({ publicUrl, service, carts, paidOrders });
  const sandbox = createSandbox({
    basePath: '/service',
    publicUrl,
    confirmationSeconds: 2,
    businessName: 'Kola’s Bookshop',
  });
  const servePages = sirv(folders.pages, { extensions: ['html'], etag: true });
  const servePackage = sirv(folders.package, { etag: true });
  const serveCheckout = toNodeListener(checkout);
  const serveSandbox = createSandboxListener(sandbox, { panelFolder: join(folders.package, 'panel') });

  return (request, response) => {
    const [path = '/'] = (request.url ?? '/').split('?');
    response.setHeader('content-security-policy', contentSecurityPolicy);
    if (path.startsWith('/checkout/')) return serveCheckout(request, response);
    if (service === undefined && path.startsWith('/service/')) return serveSandbox(request, response);
    if (path === '/panel')
      return service === undefined
        ? openPanel(response)
        : notFound(response, 'The panel belongs to the sandbox.');
    if (path === '/cart')
      return sendCart(request, response, { carts, paidOrders, controlPanel: service ? null : '/panel' });
    if (path === '/cart/new' && request.method === 'POST') return startNewCart(response, carts);
    if (path.startsWith('/package/')) {
      request.url = path.slice('/package'.length);
      return servePackage(request, response, () => notFound(response, 'No such file in the package.'));
    }
    if (path === '/' || path === '/script-tag') giveCart(request, response, carts);
    if (path === '/') request.url = '/shop';
    return servePages(request, response, () => notFound(response, 'No such page. The shop is at /.'));
  };
}

type CartCookies = ReturnType<typeof createCartCookies>;

type ShopCheckoutOptions = Pick<ShopAppOptions, 'publicUrl' | 'service'> & {
  carts: CartCookies;
  paidOrders: Set<string>;
};

function createShopCheckout({ publicUrl, service, carts, paidOrders }: ShopCheckoutOptions) {
  return createCheckout({
    payments: createPaymentsClient(service ?? { baseUrl: `${publicUrl}/service`, ...sandboxCredentials }),
    store: createMemoryStore(),
    clientSecretKeys: [randomBytes(32).toString('hex')],
    publicUrl,
    // The order and its price come from the signed cart; nothing in the request's body is believed.
    createPayment: ({ headers }) => {
      const cart = carts.read(headers.get('cookie'));
      if (cart === undefined) {
        throw new CheckoutError('forbidden', 'There is no cart in this browser; open the shop first.');
      }
      return {
        orderId: cart.orderId,
        amount: { value: totalOf(cart), currency: 'NGN' },
        customer: { name: 'Ada Obi', email: 'ada@example.com' },
        expiresInSeconds: 1800,
      };
    },
    onPaid: ({ order }) => {
      paidOrders.add(order.orderId);
      console.log(`Order ${order.orderId} is paid.`);
    },
  });
}

/** A first visit gets a cart; later ones keep it, so that a reload finds the same order. */
function giveCart(request: IncomingMessage, response: ServerResponse, carts: CartCookies): void {
  response.setHeader('cache-control', 'no-store');
  if (carts.read(request.headers.cookie) === undefined)
    response.setHeader('set-cookie', carts.write(createCart()));
}

function sendCart(
  request: IncomingMessage,
  response: ServerResponse,
  {
    carts,
    paidOrders,
    controlPanel,
  }: { carts: CartCookies; paidOrders: ReadonlySet<string>; controlPanel: string | null },
): void {
  const cart = carts.read(request.headers.cookie);
  if (cart === undefined) return notFound(response, 'There is no cart in this browser; open the shop first.');
  const items = books.filter(({ sku }) => cart.skus.includes(sku));
  const body = JSON.stringify({
    orderId: cart.orderId,
    items,
    total: { value: totalOf(cart), currency: 'NGN' },
    isPaid: paidOrders.has(cart.orderId),
    controlPanel,
  });
  response.writeHead(200, { 'content-type': 'application/json', 'cache-control': 'no-store' }).end(body);
}

function startNewCart(response: ServerResponse, carts: CartCookies): void {
  response.writeHead(303, { location: '/', 'set-cookie': carts.write(createCart()) }).end();
}

/** The panel is the sandbox's own page; here it is told that there is a shop to go back to. */
function openPanel(response: ServerResponse): void {
  response.writeHead(302, { location: '/service/_sandbox/panel/?shop' }).end();
}

function notFound(response: ServerResponse, message: string): void {
  response.writeHead(404, { 'content-type': 'text/plain; charset=utf-8' }).end(`${message}\n`);
}
