import { setTimeout as pause } from 'node:timers/promises';
import { Pool } from 'pg';
import { createSandbox } from '../../../server-kit/tools/sandbox/index.ts';
import { createSandboxListener } from '../../../server-kit/tools/sandbox/node/index.ts';
import { type RuntimeProcess, startRuntime } from '../../mounting/runtime-process.ts';
import { runTool } from '../../package/tool.ts';
import { serveUntilClosed } from '../../server-kit/kit/serve.ts';
import { postgresUrl, uniqueName } from '../../server-kit/kit/services.ts';
import { freePort } from '../../setup/reserve-port.ts';

/** What the seed prints: how a storefront reaches the shop. */
type Seeded = { key: string; region: string; variant: string };

/** A process of Medusa that a test may kill and start again, its database, and the payments service, which holds requests on demand. */
export async function createMedusaShop(folder: string) {
  const gate = createGate();
  const sandbox = createSandbox();
  const listen = createSandboxListener(sandbox);
  const service = await serveUntilClosed(async (request, response) => {
    await gate.pass(`${request.url}`);
    listen(request, response);
  });
  const name = uniqueName();
  const port = await freePort();
  const backendUrl = `http://127.0.0.1:${port}`;
  const env = {
    ...process.env,
    NODE_ENV: undefined,
    MEDUSA_DISABLE_TELEMETRY: 'true',
    DATABASE_URL: new URL(`/${name}`, postgresUrl).href,
    BACKEND_URL: backendUrl,
    PAYMENTS_BASE_URL: service.url,
  };
  const run = async (...args: string[]): Promise<string> => {
    const { code, output } = await runTool('npx', ['medusa', ...args], { folder, env });
    if (code !== 0) throw new Error(output);
    return output;
  };
  await administer(`CREATE DATABASE ${name}`);
  await run('db:migrate');
  const [, printed = ''] = /SHOP (\{.*\})/.exec(await run('exec', './src/scripts/seed.ts')) ?? [];
  const seeded = JSON.parse(printed) as Seeded;
  const { code, output } = await runTool('npm', ['run', 'build'], { folder, env });
  if (code !== 0) throw new Error(output);

  let runtime: RuntimeProcess | undefined;
  const start = async (confirmEveryMs: number): Promise<void> => {
    const command = ['npx', 'medusa', 'start', '--port', `${port}`] as const;
    const production = { ...env, NODE_ENV: 'production', CONFIRM_EVERY_MS: `${confirmEveryMs}` };
    runtime = await startRuntime(
      { command, folder: `${folder}/.medusa/server`, env: production },
      `${backendUrl}/health`,
    );
  };
  // The first process has only the callbacks.
  await start(3_600_000);

  return {
    ...{ sandbox, gate, seeded, databaseUrl: env.DATABASE_URL },
    output: () => runtime?.output() ?? '',
    /** Kills the process, and starts another one, whose job runs each second. */
    async restart() {
      await runtime?.kill();
      gate.open();
      await start(1000);
    },
    /** Calls the store's API as a storefront does. */
    async api<T>(path: string, body?: object): Promise<T> {
      const response = await fetch(backendUrl + path, {
        method: body === undefined ? 'GET' : 'POST',
        headers: { 'content-type': 'application/json', 'x-publishable-api-key': seeded.key },
        ...(body && { body: JSON.stringify(body) }),
      });
      if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
      return (await response.json()) as T;
    },
    async close() {
      await runtime?.kill();
      await service.close();
      await sandbox.close();
      await administer(`DROP DATABASE ${name} WITH (FORCE)`);
    },
  };
}

export type MedusaShop = Awaited<ReturnType<typeof createMedusaShop>>;

/** Runs a statement that concerns a whole database. */
async function administer(statement: string): Promise<void> {
  const pool = new Pool({ connectionString: postgresUrl });
  await pool.query(statement).finally(() => pool.end());
}

/** Lets requests of the service pass, or holds the next one of a kind for good: the process that waits for it is killed. */
function createGate() {
  let held: { path: RegExp; skip: number; arrived: () => void } | undefined;
  return {
    async pass(path: string): Promise<void> {
      if (held === undefined || !held.path.test(path) || held.skip-- > 0) return;
      held.arrived();
      await new Promise(() => {});
    },
    /** Holds every request to a path after the first `skip`, and resolves when the first of them has arrived. */
    hold: (path: RegExp, skip = 0): Promise<void> =>
      new Promise((resolve) => {
        held = { path, skip, arrived: resolve };
      }),
    open: () => {
      held = undefined;
    },
  };
}

/** Resolves when the condition holds; fails with the last error after a minute. */
export async function until(condition: () => Promise<boolean>, everyMs = 100): Promise<void> {
  const endsAt = Date.now() + 60_000;
  for (;;) {
    const failure = await condition().then(
      (holds) => (holds ? undefined : new Error('The condition does not hold.')),
      (error: Error) => error,
    );
    if (failure === undefined) return;
    if (Date.now() > endsAt) throw failure;
    await pause(everyMs);
  }
}
