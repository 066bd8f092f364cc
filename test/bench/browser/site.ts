import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { build } from 'vite';
import { createPaymentsClient } from '../../../server-kit/core/client.ts';
import { createCheckout } from '../../../server-kit/engine/create-checkout.ts';
import { toNodeListener } from '../../../server-kit/node.ts';
import { createMemoryStore } from '../../../server-kit/stores/memory.ts';
import { createSandbox, sandboxCredentials } from '../../../server-kit/tools/sandbox/index.ts';

const root = process.cwd();
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
const widgetFile = `checkout-widget-${version}.js`;

/** The pages that are compared; the first is what the others are a ratio of. */
export const pages = [
  { name: 'hand-written page', path: '/yardstick/', files: ['yardstick/'] },
  { name: 'script tag', path: '/script-tag', files: ['checkout.js', widgetFile] },
  { name: 'script tag, widget preloaded', path: '/preloaded', files: ['checkout.js', widgetFile] },
] as const;

const pageWith = (preload: string): string => `<!doctype html><html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width"><title>Checkout</title><link rel="icon" href="data:,">
<script src="/assets/checkout.js" async></script>${preload}</head>
<body><transfer-checkout base-url="/checkout"></transfer-checkout></body></html>`;

const types: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' };

type File = { type: string; body: Buffer };
const files = new Map<string, File>();

const addFile = (path: string, type: string, text: string | Buffer): void =>
  void files.set(path, { type, body: brotliCompressSync(text) });

function addFolder(path: string, folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    const type = types[extname(entry.name)];
    if (!entry.isFile() || type === undefined) continue;
    const file = join(entry.parentPath, entry.name);
    const name = file
      .slice(folder.length)
      .replace(/^\//, '')
      .replace(/index\.html$/, '');
    addFile(`${path}${name}`, type, readFileSync(file));
  }
}

/** The compressed size of the scripts and style sheets of a page, in bytes. */
export function brotliSizeOf(names: readonly string[]): number {
  let size = 0;
  for (const [path, { type, body }] of files) {
    const isNamed = names.some(
      (name) => path === `/assets/${name}` || (name.endsWith('/') && path.startsWith(`/${name}`)),
    );
    if (isNamed && type !== 'text/html') size += body.length;
  }
  return size;
}

/** Builds the package and the yardstick, so that what is measured is what ships. */
async function buildFiles(): Promise<void> {
  execFileSync('npx', ['vite', 'build', '--logLevel', 'warn'], { cwd: root, stdio: 'inherit' });
  const outDir = join(root, 'build/bench/yardstick');
  await build({
    configFile: false,
    logLevel: 'warn',
    base: '/yardstick/',
    root: join(root, 'test/bench/browser/yardstick'),
    build: { outDir, emptyOutDir: true, modulePreload: false },
  });
  addFolder('/yardstick/', outDir);
  addFolder('/assets/', join(root, 'dist/browser'));
  addFile('/script-tag', 'text/html', pageWith(''));
  addFile('/preloaded', 'text/html', pageWith(`<link rel="modulepreload" href="/assets/${widgetFile}">`));
  // Visited before each measured page, so that the renderer and the fonts are there.
  addFile(
    '/warm',
    'text/html',
    '<!doctype html><title>Warm</title><link rel="icon" href="data:,"><p>0123456789',
  );
}

/** Every visit is an order of its own. */
function createShop(publicUrl: string) {
  const sandbox = createSandbox();
  const checkout = createCheckout({
    client: createPaymentsClient({ baseUrl: publicUrl, ...sandboxCredentials, fetch: sandbox.fetch }),
    store: createMemoryStore(),
    clientSecretKeys: ['a-client-secret-key-for-benchmarks-only'],
    publicUrl,
    getOrder: () => ({ orderId: crypto.randomUUID(), amount: { value: 1_250_000, currency: 'NGN' } }),
    onPaid: () => {},
    onLog: () => {},
    // All visits come from one address.
    limits: false,
  });
  const createSession = (): Promise<Response> =>
    checkout.handler(
      new Request(`${publicUrl}/checkout/sessions`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{}',
      }),
    );
  return { listen: toNodeListener(checkout), createSession };
}

function sendFile(response: ServerResponse, { type, body }: File): void {
  const headers = { 'content-type': `${type}; charset=utf-8`, 'content-encoding': 'br' };
  response
    .writeHead(200, { ...headers, 'content-length': body.length, 'cache-control': 'no-store' })
    .end(body);
}

export type Site = { origin: string; close: () => Promise<void> };

/** Serves the pages, and a real checkout with its sandbox behind them. */
export async function startSite(): Promise<Site> {
  await buildFiles();
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { listen, createSession } = createShop(origin);
  server.on('request', async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', origin);
    const file = files.get(pathname);
    if (file !== undefined) return sendFile(response, file);
    if (pathname !== '/yardstick-session') return listen(request, response);
    const session = await createSession();
    response.writeHead(session.status, { 'content-type': 'application/json' }).end(await session.text());
  });
  return {
    origin,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
