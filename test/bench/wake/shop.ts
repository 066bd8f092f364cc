import { fork } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { createPaymentsClient } from '../../../server-kit/core/client.ts';
import { createCheckout } from '../../../server-kit/engine/create-checkout.ts';
import { sandboxCredentials } from '../../../server-kit/engine/published-keys.ts';
import type { ClientRequest } from '../../../server-kit/engine/routes/access/client-key.ts';
import { toNodeListener } from '../../../server-kit/node.ts';
import { createMemoryStore } from '../../../server-kit/stores/memory.ts';
import { createPostgresStore } from '../../../server-kit/stores/postgres/store.ts';

export type ShopSettings = {
  serviceUrl: string;
  /** Default: the memory store. */
  database: { postgresUrl: string; schema: string } | undefined;
  /** Default: that of the checkout. */
  maxHeld: number | undefined;
  /** Whether clients are told apart by their local addresses. */
  isFlooded: boolean;
};

export type ShopProcess = { url: string; end: () => Promise<void> };

/** Starts a merchant's server in its own process, with default options otherwise. */
export async function startShop(settings: ShopSettings): Promise<ShopProcess> {
  const child = fork(fileURLToPath(import.meta.url), ['shop', JSON.stringify(settings)]);
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const port = await new Promise<number>((resolve, reject) => {
    child.once('message', (message) => resolve(message as number));
    child.once('exit', () => reject(new Error('A shop ended before it was ready.')));
  });
  return {
    url: `http://127.0.0.1:${port}`,
    async end() {
      child.kill();
      await ended;
    },
  };
}

/** The merchant's server itself. */
export async function runShop({ serviceUrl, database, maxHeld, isFlooded }: ShopSettings): Promise<void> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const checkout = createCheckout({
    client: createPaymentsClient({ baseUrl: serviceUrl, ...sandboxCredentials }),
    store:
      database === undefined
        ? createMemoryStore()
        : createPostgresStore({ connectionString: database.postgresUrl, schema: database.schema }),
    clientSecretKeys: ['a-client-secret-key-for-benchmarks-only'],
    publicUrl: `http://127.0.0.1:${port}`,
    getOrder: ({ body }) => ({
      ...(body as { orderId: string }),
      amount: { value: 125_000, currency: 'NGN' },
    }),
    onPaid: () => {},
    ...(maxHeld !== undefined && { testing: { maxHeld } }),
    // The addresses of this machine are those of the clients.
    ...(isFlooded && { clientKey: ({ remoteAddress }: ClientRequest) => remoteAddress }),
    // Refusals by the rate limit are expected here.
    onLog: () => {},
  });
  checkout.start();
  server.on('request', toNodeListener(checkout));
  // The benchmark process has ended.
  process.once('disconnect', () => process.exit());
  process.send?.(port);
}
