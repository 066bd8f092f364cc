import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { startFlood } from './flood.ts';
import { type Service, startService } from './service.ts';
import { type ShopProcess, type ShopSettings, startShop } from './shop.ts';
import { createShoppers, type Shopper, type Shoppers, seconds } from './shoppers.ts';

/** One line of the table. */
export type Line = { what: string; reached: string; target: string };

const postgresUrl = process.env.TEST_POSTGRES_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres';

const transfers = 600;
const transfersPerSecond = 100;

type Place = { service: Service; shoppers: Shoppers; url: string };

/** `maxHeld`: as the option `testing` of the checkout; its default otherwise. */
type Shop = { instances: number; maxHeld?: number; isFlooded?: boolean };

/** Runs `work` with a service and the given number of instances over one store. */
async function withShop<T>(
  { instances, maxHeld, isFlooded = false }: Shop,
  work: (place: Place) => Promise<T>,
): Promise<T> {
  const service = await startService();
  const databases = instances > 1 ? await openDatabases() : undefined;
  const shops: ShopProcess[] = [];
  const settings: ShopSettings = { serviceUrl: service.url, database: databases?.names, maxHeld, isFlooded };
  for (let index = 0; index < instances; index++) shops.push(await startShop(settings));
  const shoppers = createShoppers(shops.map(({ url }) => url));
  try {
    return await work({ service, shoppers, url: shops[0]?.url ?? '' });
  } finally {
    shoppers.end();
    await Promise.all(shops.map((shop) => shop.end()));
    await service.close();
    await databases?.remove();
  }
}

async function openDatabases() {
  const schema = `bench_${randomUUID().replaceAll('-', '')}`;
  const client = new Client({ connectionString: postgresUrl });
  await client.connect();
  await client.query(`CREATE SCHEMA ${schema}`);
  const remove = async (): Promise<void> => {
    await client.query(`DROP SCHEMA ${schema} CASCADE`);
    await client.end();
  };
  return { names: { postgresUrl, schema }, remove };
}

/** Measures the same with more requests than an instance holds by default. */
export const measureHeld = (waiting: number): Promise<Line> =>
  measureWake({ instances: 1, maxHeld: waiting + transfers }, waiting, 'p95 1,000 ms');

/** From the transfer to the response that says "paid", with callbacks, while the others go on waiting: milliseconds. */
export async function measureWake(shop: Shop, waiting: number, target: string): Promise<Line> {
  const { instances } = shop;
  return withShop(shop, async ({ service, shoppers }) => {
    const openedAt = performance.now();
    const all = await shoppers.open(waiting + transfers);
    process.stderr.write(`${all.length} opened in ${Math.round((performance.now() - openedAt) / 1000)} s\n`);
    await seconds(5);
    const took: Promise<number>[] = [];
    const startedAt = performance.now();
    const payNext = async (shopper: Shopper): Promise<number> => {
      const paidAt = performance.now();
      const [heardAt] = await Promise.all([shopper.paidAt, service.pay(shopper.reference)]);
      return heardAt - paidAt;
    };
    for (const [index, shopper] of all.slice(0, transfers).entries()) {
      const dueInMs = startedAt + (index * 1000) / transfersPerSecond - performance.now();
      if (dueInMs > 0) await seconds(dueInMs / 1000);
      took.push(payNext(shopper));
    }
    const sorted = (await Promise.all(took)).sort((left, right) => left - right);
    const at = (share: number): number => Math.round(sorted[Math.floor(share * (sorted.length - 1))] ?? 0);
    const failures = shoppers.failures();
    const where = instances === 1 ? 'one instance, memory' : `${instances} instances, PostgreSQL`;
    return {
      what: `${waiting} waiting, ${transfersPerSecond} transfers a second, ${where}`,
      reached: `median ${at(0.5)} ms, p95 ${at(0.95)} ms, most ${at(1)} ms${failures ? `, ${failures} failed` : ''}`,
      target,
    };
  });
}

/** From the request for a session to the response that says "paid", for one new shopper after the other, beside a flood of sessions. */
export async function measureFlood(addresses: number): Promise<Line> {
  return withShop({ instances: 1, isFlooded: true }, async ({ service, url }) => {
    const flood = await startFlood({ url, addresses });
    // Long enough for the flood's limits to count.
    await seconds(10);
    await flood.counts();
    const took: number[] = [];
    const startedAt = performance.now();
    while (took.length < 10) {
      const openedAt = performance.now();
      const shoppers = createShoppers([url], `127.8.0.${took.length + 1}`);
      const [shopper] = await shoppers.open(1);
      await service.pay(shopper?.reference ?? '');
      took.push(((await shopper?.paidAt) ?? Number.NaN) - openedAt);
      shoppers.end();
    }
    const { opened, limited, failed } = await flood.counts();
    const perSecond = (count: number): string =>
      ((count * 1000) / (performance.now() - startedAt)).toFixed(0);
    await flood.end();
    const sorted = took.sort((left, right) => left - right);
    const at = (share: number): string =>
      ((sorted[Math.floor(share * (sorted.length - 1))] ?? 0) / 1000).toFixed(1);
    return {
      what: `sessions opened from ${addresses === 1 ? 'one address' : `${addresses} addresses`} without a pause: ${perSecond(opened)} a second, ${perSecond(limited)} limited, ${perSecond(failed)} failed`,
      reached: `from the request for a session to "paid": median ${at(0.5)} s, most ${at(1)} s`,
      target: 'under 5 s',
    };
  });
}
