import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export type Served = { server: Server; port: number; url: string; close: () => Promise<void> };

/** Starts a server on a free port for a whole test file, which closes it. */
export async function serveUntilClosed(listener: RequestListener): Promise<Served> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return { server, port, url: `http://127.0.0.1:${port}`, close };
}

/** Starts a server on a free port; it closes with the test. */
export async function serve(listener: RequestListener): Promise<Served> {
  const served = await serveUntilClosed(listener);
  onTestFinished(served.close);
  return served;
}
