import { pageFile, pageHeaders } from '../../server-kit/tools/sandbox/http/pages.ts';
import { isShopRoute, rootOf } from '../merchant/shop-routes.ts';
import { type HostedShop, openHostedShop } from './hosted-shop.ts';
import { createShopFiles } from './shop-files.ts';

/** The messages of the pages. */
export type WorkerMessage =
  /** The page was loaded without the worker, which must serve it from now on. */
  | { type: 'claim' }
  /** The page has loaded these files, which must work offline. */
  | { type: 'keep'; urls: readonly string[] };

const worker = globalThis as unknown as ServiceWorkerScope;
const publicUrl = worker.registration.scope.replace(/\/$/, '');
const root = rootOf(publicUrl);
const files = createShopFiles(`transfer-checkout-demo ${root}/`);

// A new version takes over at once: all state is in the database.
worker.addEventListener('install', (event) => event.waitUntil(worker.skipWaiting()));
worker.addEventListener('activate', (event) =>
  event.waitUntil(files.forget().then(() => worker.clients.claim())),
);

worker.addEventListener('message', (event) => {
  const message = event.data as WorkerMessage;
  event.waitUntil(message.type === 'keep' ? files.keep(message.urls) : worker.clients.claim());
});

worker.addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (origin !== location.origin || !pathname.startsWith(`${root}/`)) return;
  const path = pathname.slice(root.length);
  const page = pageFile(pathname, `${root}/service`);
  if (page !== undefined) return event.respondWith(sendServicePage(page));
  const isForShop = /^\/(checkout|service)\//.test(path) || isShopRoute(request.method, path);
  event.respondWith(isForShop ? respond(event) : files.respond(request));
});

/** The browser ends an idle worker at any time, so the shop is opened again when a request needs it. */
let shop: Promise<HostedShop> | undefined;

function openShop(): Promise<HostedShop> {
  const forget = (): void => {
    shop = undefined;
  };
  shop ??= openHostedShop(publicUrl, forget);
  shop.catch(forget);
  return shop;
}

async function respond(event: FetchEvent): Promise<Response> {
  try {
    const { respond, settled } = await openShop();
    const response = await respond(event.request);
    // Keeps the worker alive until the callbacks are delivered and the shop's handlers have run.
    event.waitUntil(settled().catch(console.error));
    return response;
  } catch (error) {
    console.error(error);
    const message = error instanceof Error ? error.message : String(error);
    return new Response(message, {
      status: 503,
      headers: { 'content-type': 'text/plain; charset=utf-8' },
    });
  }
}

/** The sandbox's pages, as its own server serves them: files, with a strict policy. */
async function sendServicePage(file: string): Promise<Response> {
  const name = file === '/' ? '/index.html' : file;
  const { body, status, headers } = await files.respond(new Request(`${publicUrl}/service-pages${name}`));
  return new Response(body, { status, headers: { ...Object.fromEntries(headers), ...pageHeaders } });
}
