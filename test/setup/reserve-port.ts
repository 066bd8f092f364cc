import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

export type ReservedPort = { readonly port: number; readonly release: () => Promise<void> };

/**
 * A free port for a process that has to be told one: its address has to be known before it is there. Nobody else gets it
 * until it is released; and after that, until the process listens, only by asking for this very one. It lies below the ports
 * that systems hand out by themselves, to whoever listens on port 0 and to every connection: those may be taken meanwhile.
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

/** A port at which nothing listens. */
export async function freePort(): Promise<number> {
  const { port, release } = await reservePort();
  await release();
  return port;
}
