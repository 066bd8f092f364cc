import { fork } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { fileURLToPath } from 'node:url';

export type FloodSettings = { url: string; addresses: number };

/** How often sessions were opened, and refused by a limit or for another reason, since the last request for it. */
export type FloodCounts = { opened: number; limited: number; failed: number };

export type Flood = { counts: () => Promise<FloodCounts>; end: () => Promise<void> };

/** What the flood has under way at once, over all its addresses: more than a server works on at once. */
const connections = 400;

/** Starts a process that opens sessions, each of another order, as fast as it gets responses. */
export async function startFlood(settings: FloodSettings): Promise<Flood> {
  const child = fork(fileURLToPath(import.meta.url), ['flood-process', JSON.stringify(settings)]);
  await once(child, 'message');
  return {
    async counts() {
      child.send('count');
      return (await once(child, 'message'))[0] as FloodCounts;
    },
    async end() {
      const ended = once(child, 'exit');
      child.kill();
      await ended;
    },
  };
}

/** The flood itself, from addresses of the local network 127.0.0.0/8, which are the machine's own on Linux. */
export function runFlood({ url, addresses }: FloodSettings): void {
  let counts: FloodCounts = { opened: 0, limited: 0, failed: 0 };
  let orders = 0;
  const openOne = (agent: Agent, localAddress: string): Promise<number> =>
    new Promise((resolve) => {
      const headers = { 'content-type': 'application/json', 'checkout-contract': '1' };
      const sent = request(
        `${url}/checkout/sessions`,
        { agent, localAddress, method: 'POST', headers },
        (response) =>
          response
            .resume()
            .on('end', () => resolve(response.statusCode ?? 0))
            .on('error', () => resolve(0)),
      );
      sent.on('error', () => resolve(0)).end(JSON.stringify({ orderId: `flood-${orders++}` }));
    });
  const openOn = async (index: number): Promise<never> => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const place = index % addresses;
    const localAddress = `127.9.${Math.floor(place / 250)}.${(place % 250) + 1}`;
    for (;;) {
      const status = await openOne(agent, localAddress);
      counts[status === 201 ? 'opened' : status === 429 ? 'limited' : 'failed']++;
    }
  };
  for (let index = 0; index < connections; index++) openOn(index);
  process.on('message', () => {
    process.send?.(counts);
    counts = { opened: 0, limited: 0, failed: 0 };
  });
  process.once('disconnect', () => process.exit());
  process.send?.('ready');
}
