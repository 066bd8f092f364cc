import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { sandboxCredentials } from 'transfer-checkout/sandbox';
import { readSettings, type Settings } from './settings.ts';
import { createShopApp } from './shop-app.ts';

/** Paths from the built file, `build/demo/server.js`. */
const folders = {
  pages: fileURLToPath(new URL('public', import.meta.url)),
  package: fileURLToPath(new URL('../../dist', import.meta.url)),
};

async function start(settings: Settings): Promise<void> {
  // The address is known only once the port is: with PORT=0 the system chooses one.
  let app: RequestListener = (_request, response) => response.writeHead(503).end();
  const server = createServer((request, response) => app(request, response));
  await listen(server, settings.port);
  const publicUrl = `http://localhost:${(server.address() as AddressInfo).port}`;
  app = createShopApp({ publicUrl, service: settings.service, folders });
  console.log(greeting(publicUrl, settings));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      server.close();
      server.closeAllConnections();
    });
  }
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, resolve);
  });
}

function greeting(publicUrl: string, { service }: Settings): string {
  const pages = [
    ['Shop', `${publicUrl}/`],
    ['By script tag', `${publicUrl}/script-tag`],
  ];
  const sandbox = [
    ['Control panel', `${publicUrl}/panel`],
    ['Payments service', `${publicUrl}/service`],
    ['apiKey', sandboxCredentials.apiKey],
    ['apiSecret', sandboxCredentials.apiSecret],
  ];
  const rows =
    service === undefined ? [...pages, ...sandbox] : [...pages, ['Payments service', service.baseUrl]];
  return ['', ...rows.map(([name = '', value]) => `  ${name.padEnd(18)}${value}`), ''].join('\n');
}

function explain(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return code === 'EADDRINUSE' ? `${message}. Set PORT to another port, or to 0 for any free one.` : message;
}

try {
  await start(readSettings(process.env));
} catch (error) {
  console.error(explain(error));
  process.exitCode = 1;
}
