import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { buildForNode } from '../kit/build-for-node.ts';
import { hasPostgres } from '../kit/services.ts';
import { createSchema } from '../stores/postgres/postgres-kit.ts';
import { seededRandom } from '../tools/sandbox/sandbox-kit.ts';
import { findCallFaults, findLedgerFaults } from './find-faults.ts';
import { createShop, type Shop } from './shop.ts';
import type { ShopDatabase } from './shop-process.ts';
import { leavingShopper, sendShoppers, type Visit, visitShop } from './shoppers.ts';

/**
 * How often servers are killed while payments flow. For a longer run of some minutes, set it in the environment:
 * `KILL_TEST_KILLS=300 npm run test:full test/server-kit/kill`.
 */
const kills = Number(process.env.KILL_TEST_KILLS ?? 12);
const longestLifeMs = 500;
const longestStartMs = 2000;
/** The least number of visits, however slow the machine is. */
const leastShoppers = 40;
const minuteSeconds = 70;

type TestDatabase = {
  database: ShopDatabase;
  /** The idempotency keys in the merchant's ledger, in their order. */
  readLedger: (shop: Shop) => Promise<string[]>;
};

async function createPostgres(): Promise<TestDatabase> {
  const { connectionString, pool } = await createSchema();
  // Without a unique key, so that a second row is found.
  await pool.query('CREATE TABLE ledger (id serial, key text NOT NULL)');
  const readLedger = async () => {
    const { rows } = await pool.query<{ key: string }>('SELECT key FROM ledger ORDER BY id');
    return rows.map(({ key }) => key);
  };
  return { database: { name: 'PostgreSQL', connectionString }, readLedger };
}

async function createSqlite(): Promise<TestDatabase> {
  const folder = mkdtempSync(join(tmpdir(), 'transfer-checkout-kill-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  // Handlers run at least once here; the merchant's ledger keeps each key once.
  const readLedger = async (shop: Shop) => [
    ...new Set(shop.calls().flatMap((call) => (call.at === 'written' ? [call.key] : []))),
  ];
  return { database: { name: 'SQLite', url: `file:${join(folder, 'shop.db')}` }, readLedger };
}

describe.each([
  { name: 'PostgreSQL', createDatabase: createPostgres, isSkipped: !(await hasPostgres()) },
  { name: 'one SQLite file', createDatabase: createSqlite, isSkipped: false },
])('two servers on $name', ({ createDatabase, isSkipped }) => {
  let built: Awaited<ReturnType<typeof buildForNode>>;
  beforeAll(async () => {
    built = await buildForNode(new URL('./shop-process.ts', import.meta.url));
  });
  afterAll(() => built.remove());

  it.skipIf(isSkipped)(
    'report every payment although they are killed repeatedly',
    {
      timeout: 240_000 + kills * 5000,
    },
    async () => {
      const { database, readLedger } = await createDatabase();
      const shop = await createShop(built.file, database);
      const visits = await runShoppers(shop);
      const { sandbox } = shop;
      // Hours later, all accounts have expired, and late verifications find the payments that no callback has named.
      await until(() => sandbox.control.listPayments().every(({ status }) => status !== 'charged'));
      await restartBoth(shop, 4 * 3600);
      const findFaults = async () =>
        findLedgerFaults(await readLedger(shop), visits, sandbox.control.listPayments());
      await until(async () => (await findFaults()).length === 0).catch(() => {});
      expect(await shop.stop()).toEqual([0, 0]);
      expect(await findFaults(), shop.complaints()).toEqual([]);
      expect(findCallFaults(shop.calls(), await readLedger(shop))).toEqual([]);
      expect(visits.flatMap(({ complaints }) => complaints)).toEqual([]);
    },
  );

  it.skipIf(isSkipped).each(['begun', 'written'] as const)(
    'repeat a handler whose server was killed when the handler had %s',
    async (killAt) => {
      const { database, readLedger } = await createDatabase();
      const shop = await createShop(built.file, database);
      const lease = { handlerLeaseMs: 1000, aheadMs: null };
      await shop.start(0, { ...lease, killAt });
      const context = { ...shop, random: seededRandom(), minutePasses: async () => {} };
      const visit = await visitShop(context, leavingShopper);
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
});

/** Runs shoppers and kills servers, until there have been enough of both and all shoppers have finished. */
async function runShoppers(shop: Shop): Promise<Visit[]> {
  const random = seededRandom();
  let isClosing = false;
  const shoppers = sendShoppers(
    { ...shop, random },
    { atOnce: 12, hasNext: (count) => !isClosing || count < leastShoppers },
  );
  await startBoth(shop);
  const letMinutePass = async (): Promise<void> => {
    await restartBoth(shop, minuteSeconds);
    shoppers.passMinute();
  };
  for (let killed = 0; killed < kills; killed++) {
    await pause(random() * longestLifeMs);
    if (killed % 4 === 3) await letMinutePass();
    else {
      const index = Math.floor(random() * 2);
      await shop.kill(index);
      // Some kills hit an instance that is still starting.
      await Promise.race([shop.start(index), pause(random() * longestStartMs)]);
    }
  }
  isClosing = true;
  while (shoppers.active() > 0) {
    await letMinutePass();
    await until(() => shoppers.active() === 0 || shoppers.waiting() > 0);
  }
  await shoppers.ended;
  return shoppers.visits;
}

const startBoth = (shop: Shop) => Promise.all([shop.start(0), shop.start(1)]);

async function restartBoth(shop: Shop, seconds: number): Promise<void> {
  await Promise.all([shop.kill(0), shop.kill(1)]);
  shop.sandbox.control.setClock({ advanceSeconds: seconds });
  await startBoth(shop);
}

/** Polls until the condition is true. The timeout only applies to conditions that never are. */
async function until(isTrue: () => boolean | Promise<boolean>): Promise<void> {
  const endsAt = Date.now() + 40_000;
  while (!(await isTrue())) {
    if (Date.now() > endsAt) throw new Error('The condition did not become true within 40 seconds.');
    await pause(50);
  }
}
