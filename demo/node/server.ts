import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { networkInterfaces } from 'node:os';
import { fileURLToPath } from 'node:url';
import { sandboxCredentials } from 'transfer-checkout/sandbox';
import { readSettings, type Settings } from './settings.ts';
import { createShopApp, type ShopApp } from './shop-app.ts';
import { openStorage, type Storage } from './storage.ts';

/** Relative to the built file, `build/demo/server.js`. */
const folders = {
  pages: fileURLToPath(new URL('public', import.meta.url)),
  dist: fileURLToPath(new URL('../../dist', import.meta.url)),
};

async function start(settings: Settings): Promise<void> {
  const storage = await openStorage(settings.database);
  // The address is known only after listening: with PORT=0 the system chooses a port.
  let listener: RequestListener = (_request, response) => response.writeHead(503).end();
  const server = createServer((request, response) => listener(request, response));
  try {
    await listen(server, settings);
    const publicUrl = `http://localhost:${(server.address() as AddressInfo).port}`;
    const allowedHosts = addressesOfThisMachine(settings.host);
    const app = await createShopApp({ ...settings, publicUrl, allowedHosts, storage, folders });
    listener = app.listener;
    app.checkout.start();
    const onSignal = (): void => void stop(server, app, storage).catch(fail);
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, onSignal);
    // Printed last, because from now on the process can be stopped cleanly.
    console.log(greeting(publicUrl, storage, settings));
  } catch (error) {
    server.close();
    await storage.close();
    throw error;
  }
}

/** How long connections may take to end by themselves. */
const graceMs = 2000;

/** Stops the checkout first, so that waiting requests get a response, then the connections, then the database. */
async function stop(server: Server, { checkout, close }: ShopApp, storage: Storage): Promise<void> {
  await checkout.stop();
  const closed = new Promise((resolve) => server.close(resolve));
  setTimeout(() => server.closeAllConnections(), graceMs).unref();
  await closed;
  await close();
  await storage.close();
}

function listen(server: Server, { port, host }: Settings): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
}

function greeting(publicUrl: string, { description }: Storage, { service, host }: Settings): string {
  const pages = [
    ['Shop', `${publicUrl}/`],
    ['Script tag', `${publicUrl}/script-tag`],
    ['Server-rendered', `${publicUrl}/rendered`],
    ['Gallery', `${publicUrl}/gallery`],
  ];
  const sandbox = [
    ['Control panel', `${publicUrl}/panel`],
    ['Payments service', `${publicUrl}/service`],
    ['apiKey', sandboxCredentials.apiKey],
    ['apiSecret', sandboxCredentials.apiSecret],
  ];
  const rows = [
    ...pages,
    ...addressesOfThisMachine(host).map((address) => [
      'On another device',
      `http://${address}:${new URL(publicUrl).port}/`,
    ]),
    ...(service === undefined ? sandbox : [['Payments service', service.baseUrl]]),
    ['Payments are kept', description],
  ];
  return ['', ...rows.map(([name = '', value]) => `  ${name.padEnd(20)}${value}`), ''].join('\n');
}

/** Returns the addresses for a phone in the same network, if the server listens on all of them. */
function addressesOfThisMachine(host: string): string[] {
  if (host !== '0.0.0.0' && host !== '::') return [];
  return Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter(({ family, internal }) => family === 'IPv4' && !internal)
    .map(({ address }) => address);
}

function explain(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return code === 'EADDRINUSE' ? `${message}. Set PORT to another port, or to 0 for any free one.` : message;
}

function fail(error: unknown): void {
  console.error(explain(error));
  process.exitCode = 1;
}

await Promise.resolve(process.env).then(readSettings).then(start).catch(fail);
