import { setTimeout as pause } from 'node:timers/promises';
import type { Shop } from '../kill/shop.ts';
import type { TcpProxy } from '../kit/tcp-proxy.ts';
import type { PrivateService } from '../outages/private-services.ts';

export type Disturbed = {
  shop: Shop;
  /** Kills the first instance, and starts it again. */
  restart: () => Promise<void>;
  postgres: PrivateService;
  toPostgres: TcpProxy;
  random: () => number;
};

type Disturbance = (place: Disturbed) => Promise<unknown>;

/** A cut, or a pause, of up to this length: shoppers repeat their requests meanwhile. */
const longestOutageMs = 1500;

const duringPause = async (
  { random }: Disturbed,
  begin: () => unknown,
  end: () => unknown,
): Promise<void> => {
  try {
    await begin();
    await pause(random() * longestOutageMs);
  } finally {
    await end();
  }
};
const cut =
  (proxyOf: (place: Disturbed) => TcpProxy): Disturbance =>
  (place) =>
    duringPause(place, proxyOf(place).refuse, proxyOf(place).restore);
const suspend =
  (serviceOf: (place: Disturbed) => PrivateService): Disturbance =>
  (place) =>
    duringPause(place, serviceOf(place).pause, serviceOf(place).resume);

/** What happens to the shop. */
export const disturbances: Record<string, Disturbance> = {
  'instance killed': ({ restart }) => restart(),
  'PostgreSQL cut': cut(({ toPostgres }) => toPostgres),
  'PostgreSQL paused': suspend(({ postgres }) => postgres),
  'PostgreSQL restarted': ({ postgres }) => postgres.restart('SIGINT'),
};
