import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import { Pool } from 'pg';
import { build } from 'vite';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { hasPostgres, postgresUrl, uniqueName } from '../server-kit/kit/services.ts';
import { projectFolder } from '../setup/demo-process.ts';
import { type ReservedPort, reservePort } from '../setup/reserve-port.ts';
import { type Mounting, type ShopEnv, startMountedShop } from './mounted-shop.ts';
import { describeMounting } from './mounting-suite.ts';
import { startRuntime } from './runtime-process.ts';
import { callsOf } from './shop-calls.ts';
import { createWorkspace } from './workspace.ts';

const fireOnRequest = `export default {
  fetch: async (_request, { SHOP }) => Response.json(await SHOP.scheduled({ cron: '* * * * *' })),
};`;

/** Configures the runtime as a wrangler.toml would, with a worker that fires the example's cron trigger on request. */
const configOf = (
  ports: { shop: string; cron: number },
  folder: string,
  names: readonly string[],
): string => `
using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [
    (name = "shop", worker = .shop),
    (name = "cron", worker = .cron),
    (name = "internet", network = (allow = ["public", "private"])),
    (name = "objects", disk = (path = "${folder}", writable = true)),
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
  durableObjectNamespaces = [(className = "Shop", uniqueKey = "shop", enableSql = true)],
  durableObjectStorage = (localDisk = "objects"),
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
  (cron: ReservedPort, more: Partial<Record<keyof ShopEnv, string>> = {}): Mounting =>
  async (env) => {
    const { folder, remove } = await createWorkspace('workers');
    await bundleWorker(folder);
    const objects = join(folder, 'objects');
    await mkdir(objects);
    const config = join(folder, 'config.capnp');
    await writeFile(config, configOf({ shop: env.PORT, cron: cron.port }, objects, Object.keys(env)));
    await cron.release();
    // Only the cron worker needs the experimental flag.
    const command = ['workerd', 'serve', '--experimental', config] as const;
    return { command, folder, remove, env: { DATABASE_URL: '', ...more } };
  };

/** Bundles the worker with all packages except the runtime's own modules. */
async function bundleWorker(folder: string): Promise<void> {
  await build({
    configFile: false,
    root: folder,
    logLevel: 'error',
    ssr: { noExternal: true, resolve: { conditions: ['workerd'] } },
    build: {
      ssr: join(folder, 'src/worker.ts'),
      outDir: join(folder, 'out'),
      minify: false,
      rolldownOptions: {
        external: (name) => isBuiltin(name) || name.startsWith('cloudflare:'),
        output: { entryFileNames: 'worker.js', codeSplitting: false },
      },
    },
  });
  // Packages in CommonJS, such as pg, require modules of the runtime, where no module has an address.
  const file = join(folder, 'out/worker.js');
  const code = await readFile(file, 'utf8');
  await writeFile(file, code.replace('createRequire(import.meta.url)', "createRequire('/worker.js')"));
}

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
    // A verification is due soon after the expiry, in five seconds; this request makes the shop see the new time.
    shop.sandbox.control.setClock({ advanceSeconds: 1795 });
    await getSession(session);
    pay(session);
    const fire = async (): Promise<unknown> => (await fetch(`http://localhost:${cron.port}`)).json();
    await expect
      .poll(async () => [await fire(), countPaidReports(orderId)], { interval: 500 })
      .toEqual([{ outcome: 'ok', noRetry: false }, 1]);
  });
});

describe.skipIf(!(await hasPostgres()))('PostgreSQL in Workers', () => {
  const name = uniqueName();
  const pool = new Pool({ connectionString: postgresUrl });
  beforeAll(() => pool.query(`CREATE DATABASE ${name}`));
  afterAll(async () => {
    await pool.query(`DROP DATABASE ${name} WITH (FORCE)`);
    await pool.end();
  });

  it('keeps the payments of a process that was killed', async () => {
    const mount = workers(await reservePort(), { DATABASE_URL: new URL(`/${name}`, postgresUrl).href });
    let mounted: Awaited<ReturnType<Mounting>> | undefined;
    const shop = await startMountedShop(async (env) => {
      mounted = await mount(env);
      return mounted;
    });
    onTestFinished(shop.close);
    const { newSession, getSession, pay } = callsOf(shop);
    const { orderId, session } = await newSession();
    await shop.runtime.kill();
    const { command, folder, env } = mounted as Awaited<ReturnType<Mounting>>;
    const [, ...args] = command;
    const program = join(projectFolder, 'node_modules/.bin/workerd');
    const options = { command: [program, ...args] as const, folder, env: { ...shop.env, ...env } };
    const again = await startRuntime(options, `${shop.url}/`);
    onTestFinished(again.kill);
    pay(session);
    const isPaid = async () => (await (await getSession(session)).json()) as object;
    await expect.poll(isPaid).toMatchObject({ outcome: 'paid' });
    await expect.poll(again.output).toContain(`Order ${orderId} is paid: ship it.`);
  });
});

it('Live mode in Workers refuses the memory store', async () => {
  const more = {
    PAYMENTS_BASE_URL: 'https://api.paycashless.com',
    PAYMENTS_API_KEY: 'pk_live_1',
    PAYMENTS_API_SECRET: 'sk_live_1',
  };
  const shop = await startMountedShop(workers(await reservePort(), more));
  onTestFinished(shop.close);
  expect((await callsOf(shop).postSession('order=any')).status).toBe(500);
  expect(shop.runtime.output()).toContain('the store forgets its payments when the process ends');
});
