import { delimiter, join } from 'node:path';
import { sandboxCredentials } from 'transfer-checkout/sandbox';
import { type SandboxServer, startSandboxServer } from 'transfer-checkout/sandbox/node';
import { createCart } from '../../demo/merchant/cart.ts';
import { createCartCookies } from '../../demo/node/cart-cookies.ts';
import { projectFolder } from '../setup/demo-process.ts';
import { reservePort } from '../setup/reserve-port.ts';
import { type RuntimeProcess, startRuntime } from './runtime-process.ts';
import { createWorkspace, type Workspace } from './workspace.ts';

/** One way to mount the checkout. */
export type Mounting = {
  /** Prepares the example in the workspace, and returns the command that starts it. */
  prepare: (
    workspace: Workspace,
    env: ShopEnv,
  ) => Promise<{ command: readonly [string, ...string[]]; folder?: string; env?: Record<string, string> }>;
};

export type ShopEnv = ReturnType<typeof envOf>;

/** A shop in its own process, with a sandbox as its payments service. */
export type MountedShop = {
  /** `http://localhost:<port>`, where the checkout is mounted at `/checkout`. */
  url: string;
  env: ShopEnv;
  sandbox: SandboxServer['sandbox'];
  runtime: RuntimeProcess;
  /** The cookie of a new cart, and its order. */
  newCart: () => { cookie: string; orderId: string };
  close: () => Promise<void>;
};

const cartSecret = 'what-carts-are-signed-with-in-these-tests';

function envOf(port: number, serviceUrl: string) {
  return {
    PORT: String(port),
    PUBLIC_URL: `http://localhost:${port}`,
    PAYMENTS_BASE_URL: serviceUrl,
    PAYMENTS_API_KEY: sandboxCredentials.apiKey,
    PAYMENTS_API_SECRET: sandboxCredentials.apiSecret,
    CART_SECRET: cartSecret,
    CLIENT_SECRET_KEY: 'what-client-secrets-are-signed-with-here',
    RECONCILE_KEY: 'what-opens-the-reconcile-route-in-tests',
  };
}

export async function startMountedShop({ prepare }: Mounting): Promise<MountedShop> {
  const [server, workspace] = await Promise.all([startSandboxServer({ port: 0 }), createWorkspace()]);
  // The port must be known before the start, because the service sends callbacks to it.
  const { port, release } = await reservePort();
  let runtime: RuntimeProcess | undefined;
  const close = async (): Promise<void> => {
    await runtime?.kill();
    await Promise.all([release(), server.close(), workspace.remove()]);
  };
  try {
    const env = envOf(port, server.url);
    const { folder = workspace.folder, ...prepared } = await prepare(workspace, env);
    const tools = join(projectFolder, 'node_modules', '.bin');
    const path = [tools, process.env.PATH].join(delimiter);
    await release();
    runtime = await startRuntime(
      {
        command: prepared.command,
        folder,
        env: { PATH: path, ...env, ...prepared.env },
      },
      `${env.PUBLIC_URL}/`,
    );
    const carts = createCartCookies(cartSecret);
    const newCart = () => {
      const cart = createCart();
      return { cookie: carts.write(cart).split(';')[0] ?? '', orderId: cart.orderId };
    };
    return { url: env.PUBLIC_URL, env, sandbox: server.sandbox, runtime, newCart, close };
  } catch (error) {
    await close();
    throw error;
  }
}
