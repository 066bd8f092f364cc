import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

export type ReservedPort = { readonly port: number; readonly release: () => Promise<void> };

/**
 * Reserves a free port for a process whose address must be known before it starts. The port lies below the ephemeral range,
 * so that the system assigns it to nobody between its release and the start of the process.
 */
export async function reservePort(): Promise<ReservedPort> {
  for (;;) {
    const port = randomInt(20_000, 32_000);
    const server = createServer();
    const isFree = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false)).listen(port, () => resolve(true));
    });
    if (isFree) return { port, release: () => new Promise((resolve) => server.close(() => resolve())) };
  }
}

/** Returns a port on which nothing listens. */
export async function freePort(): Promise<number> {
  const { port, release } = await reservePort();
  await release();
  return port;
}
