import { setTimeout as pause } from 'node:timers/promises';
import type { Shop } from '../kill/shop.ts';
import type { TcpProxy } from '../kit/tcp-proxy.ts';
import type { PrivatePostgres } from '../outages/private-postgres.ts';

export type Disturbed = {
  shop: Shop;
  /** Kills the first instance, and starts it again. */
  restart: () => Promise<void>;
  postgres: PrivatePostgres;
  toPostgres: TcpProxy;
  random: () => number;
};

type Disturbance = (place: Disturbed) => Promise<unknown>;

/** Resolves when an instance says this of its store. */
async function untilStoreIs(expected: 'up' | 'down', { url }: Shop): Promise<void> {
  for (let store = ''; store !== expected; await pause(50))
    store = await fetch(`${url}/checkout/ready`)
      .then(async (response) => ((await response.json()) as { store: string }).store)
      .catch(() => '');
}

/** An outage until the instances say that they are not ready: shoppers repeat their requests meanwhile. */
const outage =
  (begin: (place: Disturbed) => unknown, end: (place: Disturbed) => unknown): Disturbance =>
  async (place) => {
    try {
      await begin(place);
      await untilStoreIs('down', place.shop);
    } finally {
      await end(place);
    }
    await untilStoreIs('up', place.shop);
  };

/** What happens to the shop. */
export const disturbances: Record<string, Disturbance> = {
  'instance killed': ({ restart }) => restart(),
  'PostgreSQL cut': outage(
    ({ toPostgres }) => toPostgres.refuse(),
    ({ toPostgres }) => toPostgres.restore(),
  ),
  'PostgreSQL paused': outage(
    ({ postgres }) => postgres.pause(),
    ({ postgres }) => postgres.resume(),
  ),
  'PostgreSQL restarted': ({ postgres }) => postgres.restart('SIGINT'),
  'PostgreSQL ended at once': ({ postgres }) => postgres.restart('SIGQUIT'),
};
