import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildForNode } from '../kit/build-for-node.ts';
import { seededRandom } from '../sandbox/sandbox-kit.ts';
import { findCallFaults, findLedgerFaults } from './find-faults.ts';
import { createShop, type Shop } from './shop.ts';
import type { ShopDatabase } from './shop-process.ts';
import { type Visit, visitShop, whoLeaves } from './shoppers.ts';

/**
 * How often servers are killed while payments flow. Set it in the environment for a longer run of some minutes:
 * `KILL_TEST_KILLS=300 npx vitest run --project node test/server-kit/kill`.
 */
const kills = Number(process.env.KILL_TEST_KILLS ?? 12);
const longestLifeMs = 500;
const longestStartMs = 2000;
const shoppersAtOnce = 12;
/** So many come at least, however slow the machine is. */
const leastShoppers = 40;
const minuteSeconds = 70;

export type KillSetup = {
  /** An empty database of this test alone. */
  makeDatabase: () => Promise<{
    database: ShopDatabase;
    /** The idempotency keys in the merchant's ledger, in their order. */
    readLedger: (shop: Shop) => Promise<string[]>;
  }>;
};

export function describeKills({ makeDatabase }: KillSetup): void {
  let built: Awaited<ReturnType<typeof buildForNode>>;
  beforeAll(async () => {
    built = await buildForNode(new URL('./shop-process.ts', import.meta.url));
  });
  afterAll(() => built.remove());

  it('reports every payment although its servers are killed again and again', {
    timeout: 240_000 + kills * 5000,
  }, async () => {
    const { database, readLedger } = await makeDatabase();
    const shop = await createShop(built.file, database);
    const visits = await letShoppersVisit(shop);
    const { sandbox } = shop;
    // The late verification of what no callback has named, hours later, when all accounts have expired.
    await until(() => sandbox.control.listPayments().every(({ status }) => status !== 'charged'));
    await cutPower(shop, 4 * 3600);
    const findFaults = async () =>
      findLedgerFaults(await readLedger(shop), visits, sandbox.control.listPayments());
    await until(async () => (await findFaults()).length === 0).catch(() => {});
    expect(await shop.stop()).toEqual([0, 0]);
    expect(await findFaults(), shop.complaints()).toEqual([]);
    expect(findCallFaults(shop.calls(), await readLedger(shop))).toEqual([]);
    expect(visits.flatMap(({ complaints }) => complaints)).toEqual([]);
  });

  it.each(['begun', 'written'] as const)(
    'calls a handler again whose server has died in it, when that had %s',
    async (diesWhen) => {
      const { database, readLedger } = await makeDatabase();
      const shop = await createShop(built.file, database);
      const lease = { handlerLeaseMs: 1000, aheadMs: null };
      await shop.start(0, { ...lease, diesWhen });
      const street = { ...shop, random: seededRandom(), minutePasses: async () => {} };
      const visit = await visitShop(street, whoLeaves);
      await shop.exited(0);
      await shop.start(1, lease);
      const key = `${visit.orderId}:paid`;
      const begun = () => shop.calls().filter(({ at }) => at === 'begun');
      await until(() => begun().length === 2);
      expect(await shop.stop()).toEqual([0]);
      expect(await readLedger(shop)).toEqual([key]);
      expect(findCallFaults(shop.calls(), [key])).toEqual([]);
      expect(new Set(begun().map(({ pid }) => pid)).size).toBe(2);
    },
  );
}

/** Shoppers come and servers are killed, until there were enough of both and all shoppers have gone. */
async function letShoppersVisit(shop: Shop): Promise<Visit[]> {
  const random = seededRandom();
  const waiting = new Set<() => void>();
  const minutePasses = () => new Promise<void>((resolve) => waiting.add(resolve));
  const street = { ...shop, random, minutePasses };
  const visits: Visit[] = [];
  let isClosing = false;
  let present = shoppersAtOnce;
  let count = 0;
  const comeAndGo = async (): Promise<void> => {
    while (!isClosing || count < leastShoppers) visits.push(await visitShop(street, count++));
  };
  const everybody = Promise.all(
    Array.from({ length: shoppersAtOnce }, () => comeAndGo().finally(() => present--)),
  );
  everybody.catch(() => {});
  await startBoth(shop);
  const letMinutePass = async (): Promise<void> => {
    await cutPower(shop, minuteSeconds);
    for (const wake of waiting) wake();
    waiting.clear();
  };
  for (let killed = 0; killed < kills; killed++) {
    await pause(random() * longestLifeMs);
    if (killed % 4 === 3) await letMinutePass();
    else {
      const place = Math.floor(random() * 2);
      await shop.kill(place);
      // Now and then the next kill finds it while it starts.
      await Promise.race([shop.start(place), pause(random() * longestStartMs)]);
    }
  }
  isClosing = true;
  while (present > 0) {
    await letMinutePass();
    await until(() => present === 0 || waiting.size > 0);
  }
  await everybody;
  return visits;
}

const startBoth = (shop: Shop) => Promise.all([shop.start(0), shop.start(1)]);

/** Both servers die; time passes, on their clocks and on the service's, and they are there again. */
async function cutPower(shop: Shop, seconds: number): Promise<void> {
  await Promise.all([shop.kill(0), shop.kill(1)]);
  shop.sandbox.control.setClock({ advanceSeconds: seconds });
  await startBoth(shop);
}

/** Asks until it is so. Only what never comes true is ended by time. */
async function until(isTrue: () => boolean | Promise<boolean>): Promise<void> {
  const endsAt = Date.now() + 40_000;
  while (!(await isTrue())) {
    if (Date.now() > endsAt) throw new Error('It has not come true within 40 seconds.');
    await pause(50);
  }
}
