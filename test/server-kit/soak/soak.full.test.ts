import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findLedgerFaults } from '../kill/find-faults.ts';
import { createShop } from '../kill/shop.ts';
import type { Holdings } from '../kill/shop-process.ts';
import { buildForNode } from '../kit/build-for-node.ts';
import { hasPrograms, type PrivatePostgres, startPostgres } from '../outages/private-postgres.ts';
import { openProxiedDatabase } from '../outages/proxied-database.ts';
import { seededRandom } from '../tools/sandbox/sandbox-kit.ts';
import { type Sample, soak } from './soak.ts';

if (!hasPrograms() && process.env.REQUIRE_SERVICES)
  throw new Error('PostgreSQL is required, and not installed.');

/** `SOAK_ORDERS=500 npm run prove -- soak` sends so many. */
const orders = Number(process.env.SOAK_ORDERS ?? 120);
let built: Awaited<ReturnType<typeof buildForNode>>;
let postgres: PrivatePostgres;

async function openShop() {
  const { database, ...databases } = await openProxiedDatabase(postgres);
  const shop = await createShop(built.file, database);
  const restart = async (): Promise<void> => {
    await shop.kill(0);
    await shop.start(0);
  };
  await Promise.all([shop.start(0), shop.start(1)]);
  return { shop, restart, ...databases, postgres };
}

/** The noise of a measurement. Beyond it nothing may grow, however many orders there are. */
const noise = { descriptors: 5, timers: 10, objects: 500, heapBytes: 1_000_000 } satisfies Holdings;

/** Expects that nothing grows from the second measurement on, when everything has been used once. */
function expectFlat([_first, ...samples]: readonly Sample[]): void {
  const [from, to] = [samples[0], samples.at(-1)];
  if (from === undefined || to === undefined) throw new Error('Nothing was measured.');
  for (const name of Object.keys(noise) as (keyof Holdings)[])
    expect(to[name] - from[name], `more ${name}`).toBeLessThanOrEqual(noise[name]);
}

describe.skipIf(!hasPrograms())('two processes, killed and cut off from their database', () => {
  beforeAll(async () => {
    built = await buildForNode(new URL('../kill/shop-process.ts', import.meta.url));
    postgres = await startPostgres();
  });
  afterAll(() => Promise.all([postgres.close(), built.remove()]));

  it(`have the service's books after ${orders} orders, and hold no more than before`, {
    timeout: 600_000 + orders * 1000,
  }, async () => {
    const startedAt = performance.now();
    const { readLedger, ...place } = await openShop();
    const { shop, restart } = place;
    const { visits, samples, counts } = await soak({ ...place, random: seededRandom() }, orders, report);
    const { sandbox } = shop;
    // Hours later, all accounts have expired, and late verifications find the payments that no callback has named.
    sandbox.control.setClock({ advanceSeconds: 4 * 3600 });
    shop.setClock(1);
    await restart();
    const findFaults = async (): Promise<string[]> =>
      findLedgerFaults(await readLedger(), visits, sandbox.control.listPayments());
    const patienceMs = 120_000 + orders * 60;
    for (const until = performance.now() + patienceMs; performance.now() < until; await pause(500))
      if ((await findFaults()).length === 0) break;
    expect(await shop.stop()).toEqual([0, 0]);
    expect(await findFaults(), shop.complaints()).toEqual([]);
    const ledger = await readLedger();
    expect(visits).toHaveLength(orders);
    expect(visits.flatMap(({ complaints }) => complaints)).toEqual([]);
    report({
      orders,
      reported: ledger.length,
      counts,
      seconds: Math.round((performance.now() - startedAt) / 1000),
    });
    expectFlat(samples);
  });
});

function report(figures: object): void {
  if (process.env.SOAK_ORDERS !== undefined) process.stdout.write(`${JSON.stringify(figures)}\n`);
}
