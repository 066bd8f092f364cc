import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'vite';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type ReservedPort, reservePort } from '../setup/reserve-port.ts';
import { type Mounting, startMountedShop } from './mounted-shop.ts';
import { describeMounting } from './mounting-suite.ts';
import { callsOf } from './shop-calls.ts';
import { createWorkspace } from './workspace.ts';

const fireOnRequest = `export default {
  fetch: async (_request, { SHOP }) => Response.json(await SHOP.scheduled({ cron: '* * * * *' })),
};`;

/** Configures the runtime as a wrangler.toml would, with a worker that fires the example's cron trigger on request. */
const configOf = (ports: { shop: string; cron: number }, names: readonly string[]): string => `
using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [
    (name = "shop", worker = .shop),
    (name = "cron", worker = .cron),
    (name = "internet", network = (allow = ["public", "private"])),
  ],
  sockets = [
    (name = "shop", address = "*:${ports.shop}", http = (), service = "shop"),
    (name = "cron", address = "*:${ports.cron}", http = (), service = "cron"),
  ],
);

const shop :Workerd.Worker = (
  modules = [(name = "worker", esModule = embed "out/worker.js")],
  compatibilityDate = "2026-10-15",
  compatibilityFlags = ["enable_request_signal"],
  durableObjectNamespaces = [(className = "Shop", uniqueKey = "shop")],
  durableObjectStorage = (inMemory = void),
  bindings = [
    (name = "SHOP", durableObjectNamespace = "Shop"),
    ${names.map((name) => `(name = "${name}", fromEnvironment = "${name}"),`).join('\n    ')}
  ],
);

const cron :Workerd.Worker = (
  modules = [(name = "cron", esModule = ${JSON.stringify(fireOnRequest)})],
  compatibilityDate = "2026-10-15",
  compatibilityFlags = ["service_binding_extra_handlers"],
  bindings = [(name = "SHOP", service = "shop")],
);
`;

const workers =
  (cron: ReservedPort): Mounting =>
  async (env) => {
    const { folder, remove } = await createWorkspace('workers');
    await bundleWorker(folder);
    const config = join(folder, 'config.capnp');
    await writeFile(config, configOf({ shop: env.PORT, cron: cron.port }, Object.keys(env)));
    await cron.release();
    // Only the cron worker needs the experimental flag.
    return { command: ['workerd', 'serve', '--experimental', config], folder, remove };
  };

/** Bundles the worker with all packages except the runtime's own modules. */
const bundleWorker = (folder: string) =>
  build({
    configFile: false,
    root: folder,
    logLevel: 'error',
    ssr: { noExternal: true },
    build: {
      ssr: join(folder, 'src/worker.ts'),
      outDir: join(folder, 'out'),
      minify: false,
      rolldownOptions: { external: /^(node|cloudflare):/, output: { entryFileNames: 'worker.js' } },
    },
  });

describeMounting(
  'Workers',
  workers(await reservePort()),
  // The platform ends objects without a signal. Without the platform, the runtime only notices a client that resets its connection.
  { hasShutdown: false, disconnectBy: 'reset' },
);

describe('the cron trigger in Workers', () => {
  it('finds a payment without a callback or a polling browser', async () => {
    const cron = await reservePort();
    const shop = await startMountedShop(workers(cron));
    onTestFinished(shop.close);
    const { newSession, getSession, pay, countPaidReports } = callsOf(shop);
    shop.sandbox.control.setCallbackDelivery({ drop: true });
    const { orderId, session } = await newSession();
    // A verification is due soon after the account's expiry; this request makes the shop see the new time.
    shop.sandbox.control.setClock({ advanceSeconds: 1799 });
    await getSession(session);
    pay(session);
    const fire = async (): Promise<unknown> => (await fetch(`http://localhost:${cron.port}`)).json();
    await expect
      .poll(async () => [await fire(), countPaidReports(orderId)], { interval: 500 })
      .toEqual([{ outcome: 'ok', noRetry: false }, 1]);
  });
});
