import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Pool } from 'pg';
import { createSandbox } from '../../../server-kit/tools/sandbox/index.ts';
import { createSandboxListener } from '../../../server-kit/tools/sandbox/node/index.ts';
import { type RuntimeProcess, startRuntime } from '../../mounting/runtime-process.ts';
import { runTool } from '../../package/tool.ts';
import { serveUntilClosed } from '../../server-kit/kit/serve.ts';
import { postgresUrl, uniqueName } from '../../server-kit/kit/services.ts';
import { freePort } from '../../setup/reserve-port.ts';
import { createGate } from './gate.ts';
import { serveStorefront } from './storefront.ts';

/** What the seed prints: how a storefront reaches the shop. */
type Seeded = { key: string; region: string; variant: string };

/** Calls Medusa's payment module: its own tests do the same. */
const moduleRoute = `import { Modules } from '@medusajs/framework/utils';

export async function POST({ params, body, scope }: any, response: any): Promise<void> {
  response.json({ result: await scope.resolve(Modules.PAYMENT)[params.method](...body) });
}
`;

/** A process of Medusa that a test may kill and start again, its database, and the payments service, which holds requests on demand. */
export async function createMedusaShop(folder: string) {
  const gate = createGate();
  const sandbox = createSandbox();
  const listen = createSandboxListener(sandbox);
  const service = await serveUntilClosed(async (request, response) => {
    await gate.pass(`${request.url}`);
    listen(request, response);
  });
  const backendUrl = `http://127.0.0.1:${await freePort()}`;
  const storefront = await serveStorefront(folder, backendUrl);
  const database = await prepare(folder);
  const env = {
    ...medusaEnv,
    NODE_ENV: 'production',
    BACKEND_URL: backendUrl,
    STORE_CORS: storefront.url,
    PAYMENTS_BASE_URL: service.url,
  };
  let runtime: RuntimeProcess | undefined;
  const start = async (confirmEveryMs: number): Promise<void> => {
    const command = ['npx', 'medusa', 'start', '--port', new URL(backendUrl).port] as const;
    const options = { command, folder: `${folder}/.medusa/server` };
    const confirming = { ...env, CONFIRM_EVERY_MS: `${confirmEveryMs}` };
    runtime = await startRuntime({ ...options, env: confirming }, `${backendUrl}/health`);
  };
  // The first process has only the callbacks.
  await start(3_600_000);

  return {
    sandbox,
    gate,
    storefront,
    backendUrl,
    ...database,
    output: () => runtime?.output() ?? '',
    /** Kills the process, and starts another one, whose job runs each second. */
    async restart(whileItIsDown = async () => {}) {
      await runtime?.kill();
      await whileItIsDown();
      gate.open();
      await start(1000);
    },
    /** Calls Medusa's API as a storefront does. */
    api: <T>(path: string, body?: unknown) => callApi<T>(backendUrl + path, database.seeded, body),
    async close() {
      await runtime?.kill();
      await storefront.close();
      await service.close();
      await sandbox.close();
      await database.drop();
    },
  };
}

export type MedusaShop = Awaited<ReturnType<typeof createMedusaShop>>;

/** As in a shell: Vitest sets NODE_ENV. */
const medusaEnv = { ...process.env, NODE_ENV: undefined, MEDUSA_DISABLE_TELEMETRY: 'true' };

/** Sets the example up, as its script `setup` does, with a database of its own, and builds it. */
async function prepare(folder: string) {
  const run = async (...[command, ...args]: [string, ...string[]]): Promise<string> => {
    const { code, output } = await runTool(command, args, { folder, env: medusaEnv });
    if (code !== 0) throw new Error(output);
    return output;
  };
  const name = uniqueName();
  const databaseUrl = new URL(`/${name}`, postgresUrl).href;
  const envFile = join(folder, '.env');
  const env = await readFile(envFile, 'utf8');
  await writeFile(envFile, env.replace(/^DATABASE_URL=.*$/m, `DATABASE_URL=${databaseUrl}`));
  const route = join(folder, 'src/api/payment-module/[method]');
  await mkdir(route, { recursive: true });
  await writeFile(join(route, 'route.ts'), moduleRoute);
  await administer(`CREATE DATABASE ${name}`);
  await run('npx', 'medusa', 'db:migrate');
  const [, printed = ''] =
    /SHOP (\{.*\})/.exec(await run('npx', 'medusa', 'exec', './src/scripts/seed.ts')) ?? [];
  await run('npm', 'run', 'build');
  return {
    databaseUrl,
    seeded: JSON.parse(printed) as Seeded,
    drop: () => administer(`DROP DATABASE ${name} WITH (FORCE)`),
  };
}

/** Runs a statement that concerns a whole database. */
async function administer(statement: string): Promise<void> {
  const pool = new Pool({ connectionString: postgresUrl });
  await pool.query(statement).finally(() => pool.end());
}

/** Calls a route of Medusa, or of the checkout, with the storefront's key. */
export async function callApi<T>(url: string, { key }: Seeded, body?: unknown): Promise<T> {
  const response = await fetch(url, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { 'content-type': 'application/json', 'x-publishable-api-key': key },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${url}: ${response.status} ${await response.text()}`);
  return (await response.json()) as T;
}
