import { fork } from 'node:child_process';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { createPaymentsClient } from '../../../server-kit/core/client.ts';
import { createCheckout } from '../../../server-kit/engine/create-checkout.ts';
import { sandboxCredentials } from '../../../server-kit/engine/published-keys.ts';
import { toNodeListener } from '../../../server-kit/node.ts';
import { createMemoryStore } from '../../../server-kit/stores/memory.ts';

/** What the process of the shop has used: CPU since its start, and heap now. */
export type Usage = { cpuUs: number; heapBytes: number };

/** How long a request is held. */
export const holdMs = 20_000;

/** Starts the shop in a process of its own, so that only its own work is counted. */
export async function startShop(serviceUrl: string): Promise<{ url: string; end: () => void }> {
  const execArgv = [...process.execArgv, '--expose-gc'];
  const child = fork(fileURLToPath(import.meta.url), ['shop', serviceUrl], { execArgv });
  const port = await new Promise<unknown>((resolve) => child.once('message', resolve));
  return { url: `http://127.0.0.1:${port}`, end: () => child.disconnect() };
}

const body = JSON.stringify({ status: 'up' });
const respondBare = (response: ServerResponse, text = body): void =>
  void response.writeHead(200, { 'content-length': Buffer.byteLength(text) }).end(text);

/** A shop with a checkout beside bare responses, on one server. */
export async function runShop(serviceUrl: string): Promise<void> {
  const checkout = createCheckout({
    client: createPaymentsClient({ baseUrl: serviceUrl, ...sandboxCredentials }),
    store: createMemoryStore(),
    clientSecretKeys: ['a-client-secret-key-for-benchmarks-only'],
    publicUrl: 'http://127.0.0.1',
    handlers: 'elsewhere',
    getOrder: ({ body }) => ({
      ...(body as { orderId: string }),
      amount: { value: 125_000, currency: 'NGN' },
    }),
    // Responses are measured, not verifications.
    testing: { verificationIntervalMs: 60_000 },
  });
  const serveCheckout = toNodeListener(checkout);
  const server = createServer((request, response) => {
    if (request.url === '/bare') respondBare(response);
    else if (request.url === '/held') setTimeout(() => respondBare(response), holdMs);
    else if (request.url === '/usage') respondBare(response, JSON.stringify(usage()));
    else if (request.url === '/collect') respondBare(response, String(globalThis.gc?.()));
    else serveCheckout(request, response);
  });
  // Connections stay open between the rounds.
  server.keepAliveTimeout = 0;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  process.once('disconnect', () => process.exit());
  process.send?.((server.address() as AddressInfo).port);
}

function usage(): Usage {
  const { user, system } = process.cpuUsage();
  return { cpuUs: user + system, heapBytes: process.memoryUsage().heapUsed };
}
