import { delimiter, join } from 'node:path';
import { sandboxCredentials } from 'transfer-checkout/sandbox';
import { type SandboxServer, startSandboxServer } from 'transfer-checkout/sandbox/node';
import { projectFolder } from '../setup/demo-process.ts';
import { reservePort } from '../setup/reserve-port.ts';
import { type RuntimeProcess, startRuntime } from './runtime-process.ts';

/** Prepares a shop, and returns the command that starts it. */
export type Mounting = (env: ShopEnv) => Promise<{
  command: readonly [string, ...string[]];
  folder: string;
  env?: NodeJS.ProcessEnv;
  /** Removes what was prepared. */
  remove?: () => Promise<void>;
}>;

export type ShopEnv = ReturnType<typeof envOf>;

/** A shop in its own process, with a sandbox as its payments service. */
export type MountedShop = {
  /** `http://localhost:<port>`, where the checkout is mounted at `/checkout`. */
  url: string;
  env: ShopEnv;
  sandbox: SandboxServer['sandbox'];
  runtime: RuntimeProcess;
  close: () => Promise<void>;
};

/** Wins over the examples' own files of the environment. */
function envOf(port: number, serviceUrl: string) {
  const url = `http://localhost:${port}`;
  return {
    PORT: String(port),
    PUBLIC_URL: url,
    ORIGIN: url,
    PAGE_URL: url,
    DATABASE_URL: 'file:checkout.db',
    SHOP_DATABASE_URL: 'file:shop.db',
    PAYMENTS_BASE_URL: serviceUrl,
    PAYMENTS_API_KEY: sandboxCredentials.apiKey,
    PAYMENTS_API_SECRET: sandboxCredentials.apiSecret,
    CLIENT_SECRET_KEY: 'what-client-secrets-are-signed-with-here',
    OPERATOR_KEY: 'what-opens-the-reconcile-route-in-tests',
  };
}

export async function startMountedShop(mounting: Mounting): Promise<MountedShop> {
  const server = await startSandboxServer({ port: 0 });
  // The port must be known before the start, because the service sends callbacks to it.
  const { port, release } = await reservePort();
  const env = envOf(port, server.url);
  const cleanUps = [release, server.close];
  const close = async (): Promise<void> => {
    for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
  };
  try {
    const { command, folder, env: more, remove } = await mounting(env);
    if (remove) cleanUps.unshift(remove);
    await release();
    const bin = join('node_modules', '.bin');
    const PATH = [join(folder, bin), join(projectFolder, bin), process.env.PATH].join(delimiter);
    const options = { command, folder, env: { PATH, ...env, ...more } };
    const runtime = await startRuntime(options, `${env.PUBLIC_URL}/`);
    cleanUps.push(runtime.kill);
    return { url: env.PUBLIC_URL, env, sandbox: server.sandbox, runtime, close };
  } catch (error) {
    await close();
    throw error;
  }
}
