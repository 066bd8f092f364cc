import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import sirv from 'sirv';
import { createSandbox } from 'transfer-checkout/sandbox';
import { createSandboxListener, openDataFile } from 'transfer-checkout/sandbox/node';
import type { Checkout } from 'transfer-checkout/server-kit';
import { type NodeListener, toNodeListener } from 'transfer-checkout/server-kit/node';
import { books, type Cart, type CartCookies, createCart, createCartCookies, totalOf } from './cart.ts';
import { renderPage } from './rendered-page.ts';
import type { Settings } from './settings.ts';
import { createShopCheckout, orderOf } from './shop-checkout.ts';
import type { ShopRecords } from './shop-records.ts';
import type { Storage } from './storage.ts';

export type ShopAppOptions = Pick<Settings, 'service' | 'sandboxFile'> & {
  /** The shop's public URL: `http://localhost:4242`. */
  publicUrl: string;
  storage: Storage;
  /** The built pages, and the built package with `checkout.js`. */
  folders: { pages: string; package: string };
};

export type ShopApp = {
  listener: NodeListener;
  checkout: Checkout;
  /** Closes the sandbox's file. The caller closes the storage. */
  close: () => Promise<void>;
};

/** A strict policy, under which the widget has to work. */
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
 * Creates the demo's merchant server: a small shop, its checkout at `/checkout`, and, unless another service is set, the
 * sandbox at `/service` with its control panel at `/panel`.
 *
 * @throws {DataFileError} for an unusable sandbox file
 */
export async function createShopApp({ service, storage, ...options }: ShopAppOptions): Promise<ShopApp> {
  const { publicUrl, folders } = options;
  const carts = createCartCookies(await storage.records.secret('carts'));
  const checkout = await createShopCheckout({ publicUrl, service, storage, carts });
  const sandbox = service === undefined ? await openSandbox(options) : undefined;
  const servePages = sirv(folders.pages, { extensions: ['html'], etag: true });
  const servePackage = sirv(folders.package, { etag: true });
  const serveCheckout = toNodeListener(checkout);
  const shop = { carts, records: storage.records, controlPanel: sandbox ? '/panel' : null };

  const listener: NodeListener = (request, response) => {
    const [path = '/'] = (request.url ?? '/').split('?');
    response.setHeader('content-security-policy', contentSecurityPolicy);
    if (path.startsWith('/checkout/')) return serveCheckout(request, response);
    if (sandbox !== undefined && path.startsWith('/service/')) return sandbox.listener(request, response);
    if (path === '/panel')
      return sandbox ? openPanel(response) : notFound(response, 'The panel belongs to the sandbox.');
    if (path === '/rendered') return sendRendered(request, response, { carts, checkout, publicUrl });
    if (path === '/cart') return sendCart(request, response, shop);
    if (path === '/cart/new' && request.method === 'POST') return startNewCart(response, carts);
    if (path.startsWith('/package/')) {
      request.url = path.slice('/package'.length);
      return servePackage(request, response, () => notFound(response, 'No such file in the package.'));
    }
    if (path === '/' || path === '/script-tag') giveCart(request, response, carts);
    if (path === '/') request.url = '/shop';
    return servePages(request, response, () => notFound(response, 'No such page. The shop is at /.'));
  };
  return { listener, checkout, close: async () => sandbox?.close() };
}

async function openSandbox({
  publicUrl,
  folders,
  sandboxFile,
}: Pick<ShopAppOptions, 'publicUrl' | 'folders' | 'sandboxFile'>): Promise<{
  listener: NodeListener;
  close: () => Promise<void>;
}> {
  const file = sandboxFile === undefined ? undefined : await openDataFile(sandboxFile);
  const sandbox = createSandbox({
    basePath: '/service',
    publicUrl,
    confirmationSeconds: 2,
    businessName: 'Kola’s Bookshop',
    ...(file !== undefined && { storage: file }),
  });
  return {
    listener: createSandboxListener(sandbox, { panelFolder: join(folders.package, 'panel') }),
    async close() {
      await sandbox.close();
      await file?.close();
    },
  };
}

/** Creates a cart on the first visit; later visits keep it, so that a reload shows the same order. */
function giveCart(request: IncomingMessage, response: ServerResponse, carts: CartCookies): Cart {
  response.setHeader('cache-control', 'no-store');
  const known = carts.read(request.headers.cookie);
  if (known !== undefined) return known;
  const cart = createCart();
  response.setHeader('set-cookie', carts.write(cart));
  return cart;
}

/** Sends a page that already contains the account of this shopper's order. */
async function sendRendered(
  request: IncomingMessage,
  response: ServerResponse,
  { carts, checkout, publicUrl }: { carts: CartCookies; checkout: Checkout; publicUrl: string },
): Promise<void> {
  try {
    const session = await checkout.createSession(orderOf(giveCart(request, response, carts), publicUrl));
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.end(await renderPage(session));
  } catch (error) {
    console.error('The payment page cannot be rendered.', error);
    response.writeHead(503, { 'retry-after': '5' }).end();
  }
}

async function sendCart(
  request: IncomingMessage,
  response: ServerResponse,
  { carts, records, controlPanel }: { carts: CartCookies; records: ShopRecords; controlPanel: string | null },
): Promise<void> {
  const cart = carts.read(request.headers.cookie);
  if (cart === undefined) return notFound(response, 'There is no cart in this browser; open the shop first.');
  const isPaid = await records.isPaid(cart.orderId).catch((error: unknown) => {
    console.error('The order’s status cannot be read.', error);
    return undefined;
  });
  if (isPaid === undefined) return void response.writeHead(503, { 'retry-after': '5' }).end();
  const body = JSON.stringify({
    orderId: cart.orderId,
    items: books.filter(({ sku }) => cart.skus.includes(sku)),
    total: { value: totalOf(cart), currency: 'NGN' },
    isPaid,
    controlPanel,
  });
  response.writeHead(200, { 'content-type': 'application/json', 'cache-control': 'no-store' }).end(body);
}

function startNewCart(response: ServerResponse, carts: CartCookies): void {
  response.writeHead(303, { location: '/', 'set-cookie': carts.write(createCart()) }).end();
}

/** The panel is the sandbox's page; `?shop` adds a link back to the shop. */
function openPanel(response: ServerResponse): void {
  response.writeHead(302, { location: '/service/_sandbox/panel/?shop' }).end();
}

function notFound(response: ServerResponse, message: string): void {
  response.writeHead(404, { 'content-type': 'text/plain; charset=utf-8' }).end(`${message}\n`);
}
