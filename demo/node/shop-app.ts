import { join } from 'node:path';
import sirv from 'sirv';
import { createSandbox, sandboxCredentials } from 'transfer-checkout/sandbox';
import { createSandboxListener, openDataFile } from 'transfer-checkout/sandbox/node';
import { type Checkout, createPaymentsClient } from 'transfer-checkout/server-kit';
import { fetchToNodeListener, type NodeListener, toNodeListener } from 'transfer-checkout/server-kit/node';
import { contentSecurityPolicy } from '../merchant/pages.ts';
import { createShopCheckout, sandboxSettings } from '../merchant/shop-checkout.ts';
import { createShopRoutes } from '../merchant/shop-routes.ts';
import { createCookieCarts } from './cart-cookies.ts';
import type { Settings } from './settings.ts';
import type { Storage } from './storage.ts';

export type ShopAppOptions = Pick<Settings, 'service' | 'sandboxFile'> & {
  /** The shop's public URL: `http://localhost:4242`. */
  publicUrl: string;
  /** The addresses at which other devices reach the shop, and so its sandbox. */
  allowedHosts: readonly string[];
  storage: Storage;
  /** The built pages, and the built package with `checkout.js`. */
  folders: { pages: string; dist: string };
};

export type ShopApp = {
  listener: NodeListener;
  checkout: Checkout;
  /** Closes the sandbox's file. The caller closes the storage. */
  close: () => Promise<void>;
};

/**
 * Creates the demo's merchant server: a small shop, its checkout at `/checkout`, and, unless another service is set, the
 * sandbox at `/service` with its control panel at `/panel`.
 *
 * @throws {DataFileError} for an unusable sandbox file
 */
export async function createShopApp({ service, storage, ...options }: ShopAppOptions): Promise<ShopApp> {
  const { publicUrl, folders } = options;
  const { records } = storage;
  const carts = createCookieCarts(await records.secret('carts'));
  const client = createPaymentsClient(service ?? { baseUrl: `${publicUrl}/service`, ...sandboxCredentials });
  const checkout = await createShopCheckout({
    ...storage,
    publicUrl,
    client,
    carts,
    print: console.log,
  });
  const sandbox = service === undefined ? await openSandbox(options) : undefined;
  const servePages = sirv(folders.pages, { extensions: ['html'], etag: true });
  // Written by `npm run docs -- site`, perhaps after the start.
  const serveDocs = sirv(join(folders.dist, 'demo/docs'), { extensions: ['html'], dev: true });
  const servePackage = sirv(join(folders.dist, 'browser'), { etag: true });
  const serveCheckout = toNodeListener(checkout);
  const respond = createShopRoutes({
    publicUrl,
    checkout,
    carts,
    records,
    hasSandbox: sandbox !== undefined,
  });
  const serveRoutes = fetchToNodeListener(async (request) => {
    try {
      return (await respond(request)) ?? notFound();
    } catch (error) {
      console.error(`${request.method} ${new URL(request.url).pathname} failed.`, error);
      return unavailable();
    }
  });

  /** A cart for the pages that are files. */
  const giveCart: NodeListener = (request, response) => {
    const headers = new Headers({ cookie: request.headers.cookie ?? '' });
    const give = async (): Promise<void> => {
      response.setHeader('cache-control', 'no-store');
      if ((await carts.find(headers)) === undefined)
        response.setHeaders(new Headers((await carts.start()).headers));
    };
    give().then(
      () => servePages(request, response),
      (error: Error) => response.destroy(error),
    );
  };

  const listener: NodeListener = (request, response) => {
    const [path = '/'] = (request.url ?? '/').split('?');
    if (path.startsWith('/docs/')) {
      request.url = path.slice('/docs'.length) || '/';
      return serveDocs(request, response, () => explainDocs(response));
    }
    response.setHeader('content-security-policy', contentSecurityPolicy);
    if (path.startsWith('/checkout/')) return serveCheckout(request, response);
    if (path.startsWith('/service/') && sandbox !== undefined) return sandbox.listener(request, response);
    if (path === '/') return giveCart(request, response);
    if (path.startsWith('/package/')) {
      request.url = path.slice('/package'.length);
      return servePackage(request, response, () => serveRoutes(request, response));
    }
    return servePages(request, response, () => serveRoutes(request, response));
  };
  return { listener, checkout, close: async () => sandbox?.close() };
}

async function openSandbox({
  publicUrl,
  allowedHosts,
  folders,
  sandboxFile,
}: Pick<ShopAppOptions, 'publicUrl' | 'allowedHosts' | 'folders' | 'sandboxFile'>): Promise<{
  listener: NodeListener;
  close: () => Promise<void>;
}> {
  const file = sandboxFile === undefined ? undefined : await openDataFile(sandboxFile);
  const sandbox = createSandbox({
    ...sandboxSettings,
    basePath: '/service',
    publicUrl,
    ...(file !== undefined && { storage: file }),
  });
  return {
    listener: createSandboxListener(sandbox, {
      pagesFolder: join(folders.dist, 'sandbox-pages'),
      allowedHosts,
    }),
    close: sandbox.close,
  };
}

const unavailable = (): Response =>
  new Response('The shop cannot respond right now. Try again in a moment.', {
    status: 503,
    headers: { 'retry-after': '5' },
  });

/** Says where the documentation is, if its site has not been built. */
function explainDocs(response: Parameters<NodeListener>[1]): void {
  response.writeHead(404, { 'content-type': 'text/plain; charset=utf-8' });
  response.end('The documentation is in the folder docs. Run `npm run docs -- site` to read it here.\n');
}

const notFound = (): Response => new Response('No such page. The shop is at /.\n', { status: 404 });
