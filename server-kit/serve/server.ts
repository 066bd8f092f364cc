import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createPaymentsClient } from '../core/client.ts';
import { type Checkout, createCheckout } from '../engine/create-checkout.ts';
import { createClientKey } from '../engine/routes/access/client-address.ts';
import type { OnLog } from '../engine/telemetry/log.ts';
import { fetchToNodeListener, toNodeListener } from '../node.ts';
import type { SqlStore } from '../stores/sql/store.ts';
import { createFiles, packagedFolder } from '../tools/sandbox/node/files.ts';
import { createGetOrder } from './get-order.ts';
import { nameVariables, type Settings } from './settings.ts';
import { createPost, type Post } from './signed-post.ts';
import { openStore } from './store.ts';
import { createWebhookHandlers } from './webhooks.ts';

export type ServeOptions = {
  fetch: typeof globalThis.fetch;
  /** The local clock, in milliseconds since the epoch. */
  now: () => number;
  /** Writes one line of the log. */
  print: (line: string) => void;
  /** Responds to these paths, for a first try. */
  before?: (((request: Request) => Promise<Response | undefined>) & { paths: readonly string[] }) | undefined;
};

export type ServeProcess = {
  /** The address that it listens at: `http://127.0.0.1:4243`. */
  url: string;
  /** Responds to held requests, ends running deliveries, and closes the database. */
  close: () => Promise<void>;
};

/**
 * Serves a checkout for a shop in any language: its routes below `BASE_PATH`, the widget's files below `/assets`, and `/ready`.
 *
 * @throws {CheckoutError} `invalid_options`, naming the variable
 */
export async function startServe(settings: Settings, options: ServeOptions): Promise<ServeProcess> {
  const store = await openStore(settings.DATABASE_URL);
  let server: Server | undefined;
  try {
    const checkout = createShopCheckout(settings, store, options);
    server = createServer(createListener(checkout, options));
    await once(server.listen(settings.PORT, settings.HOST), 'listening');
    checkout.start();
    const { port } = server.address() as AddressInfo;
    return { url: `http://${settings.HOST}:${port}`, close: () => stop(checkout, server as Server, store) };
  } catch (error) {
    server?.close();
    await store.close();
    throw nameVariables(error);
  }
}

function createShopCheckout(
  settings: Settings,
  store: SqlStore,
  { fetch, now, print }: ServeOptions,
): Checkout {
  const post: Post = createPost({ fetch, now });
  const { OPERATOR_KEY: operatorKey, TRUSTED_PROXIES: trustedProxies } = settings;
  return createCheckout({
    client: createPaymentsClient({
      baseUrl: settings.PAYMENTS_URL,
      apiKey: settings.PAYMENTS_API_KEY,
      apiSecret: settings.PAYMENTS_API_SECRET,
    }),
    store,
    publicUrl: settings.PUBLIC_URL,
    basePath: settings.BASE_PATH,
    clientSecretKeys: settings.CLIENT_SECRET_KEYS,
    allowedOrigins: settings.ALLOWED_ORIGINS,
    ...(operatorKey !== undefined && { operatorKey }),
    ...(trustedProxies.length > 0 && { clientKey: createClientKey({ trustedProxies }) }),
    getOrder: createGetOrder(settings, post),
    ...createWebhookHandlers(settings, { post, now }),
    onLog: createLogWriter(settings.LOG_LEVEL, now, print),
  });
}

const levels = ['info', 'warn', 'error'] as const;

/** Writes each entry as one line of JSON. */
const createLogWriter =
  (least: Settings['LOG_LEVEL'], now: () => number, print: ServeOptions['print']): OnLog =>
  (entry) => {
    if (levels.indexOf(entry.level) < levels.indexOf(least)) return;
    const written = JSON.parse(JSON.stringify(entry)) as object;
    print(JSON.stringify({ at: new Date(now()).toISOString(), ...written }));
  };

/** A page of another origin may load the widget's files. */
const assetHeaders = { 'cache-control': 'no-cache', 'access-control-allow-origin': '*' };

function createListener(checkout: Checkout, { before }: ServeOptions): RequestListener {
  const serveCheckout = toNodeListener(checkout);
  const assets = createFiles(packagedFolder('browser'), assetHeaders);
  const serveOthers = fetchToNodeListener(async (request) => {
    const { pathname } = new URL(request.url);
    return (await before?.(request)) ?? assets(request.method, pathname.slice('/assets'.length));
  });
  return (request, response) => {
    const { url = '/' } = request;
    const serve = url.startsWith('/assets/') || before?.paths.includes(url) ? serveOthers : serveCheckout;
    serve(request, response);
  };
}

/** How long connections may take to end by themselves. */
const graceMs = 2000;

/** Stops the checkout first, so that held requests get a response. */
async function stop(checkout: Checkout, server: Server, store: SqlStore): Promise<void> {
  await checkout.stop();
  const closed = new Promise((resolve) => server.close(resolve));
  setTimeout(() => server.closeAllConnections(), graceMs).unref();
  await closed;
  await store.close();
}
