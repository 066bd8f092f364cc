import { setTimeout as pause } from 'node:timers/promises';
import { isOutage } from '../kill/repeat-request.ts';
import type { Shop } from '../kill/shop.ts';
import type { Holdings } from '../kill/shop-process.ts';
import { sendShoppers, type Visit } from '../kill/shoppers.ts';
import type { TcpProxy } from '../kit/tcp-proxy.ts';
import type { PrivatePostgres } from '../outages/private-postgres.ts';

type Disturbed = {
  shop: Shop;
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

const disturbances: Record<string, Disturbance> = {
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

/** What the instance holds that is never killed, each time after so many orders, at rest. */
export type Sample = Holdings & { orders: number };
export type Soaked = { visits: Visit[]; samples: Sample[]; counts: Record<string, number> };

const shoppersAtOnce = 24;
const rounds = 3;
const minuteSeconds = 70;
/** How many visits end between two disturbances, so that shoppers get on, however slow the machine is. */
const calmVisits = 25;
const names = Object.keys(disturbances);

/**
 * Sends this many shoppers through two instances, of which the first is killed again and again, while their database is cut off,
 * paused and restarted. After each third of them everything rests, and what the second instance holds is measured.
 */
export async function soak(
  place: Disturbed,
  orders: number,
  print: (sample: Sample) => void = () => {},
): Promise<Soaked> {
  const { shop, random, restart } = place;
  const result: Soaked = { visits: [], samples: [], counts: {} };
  const count = (name: string): void => {
    result.counts[name] = (result.counts[name] ?? 0) + 1;
  };
  const letMinutePass = async (): Promise<void> => {
    shop.sandbox.control.setClock({ advanceSeconds: minuteSeconds });
    shop.setClock(1);
    // With the new clock.
    await restart();
    count('minutes passed, and instance killed');
  };
  const runRound = async (until: number): Promise<void> => {
    const shoppers = sendShoppers(
      { ...shop, random, isExpected: isOutage },
      { atOnce: shoppersAtOnce, hasNext: (started) => started < until, first: result.visits.length },
    );
    const { visits, ended, active, waiting } = shoppers;
    for (let calmUntil = 0; active() > 0; await Promise.race([pause(50), ended])) {
      if (waiting() === active()) {
        await letMinutePass();
        shoppers.passMinute();
      } else if (visits.length >= calmUntil) {
        calmUntil = visits.length + calmVisits;
        const name = names[Math.floor(random() * names.length)] ?? '';
        await disturbances[name]?.(place);
        count(name);
      }
    }
    await ended;
    result.visits.push(...visits);
  };
  for (let round = 1; round <= rounds; round++) {
    const until = Math.round((orders * round) / rounds);
    await runRound(until);
    const sample = { orders: until, ...(await measureAtRest(place)) };
    result.samples.push(sample);
    print(sample);
  }
  return result;
}

/**
 * Returns the least that is held within fifteen seconds: meanwhile connections that nobody uses are closed, PostgreSQL's after ten
 * seconds and those of browsers after five, and a background run may open one for a moment.
 */
async function measureAtRest({ shop }: Disturbed): Promise<Holdings> {
  let least = await shop.measure(1);
  for (let times = 0; times < 5; times++) {
    await pause(3000);
    const next = await shop.measure(1);
    if (next.descriptors <= least.descriptors) least = next;
  }
  return least;
}
