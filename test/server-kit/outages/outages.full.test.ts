import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createShop, type Shop } from '../kill/shop.ts';
import { buildForNode } from '../kit/build-for-node.ts';
import type { TcpProxy } from '../kit/tcp-proxy.ts';
import { type Load, startLoad } from './load.ts';
import { hasPrograms, type PrivateService, startPostgres } from './private-services.ts';
import { openProxiedDatabase } from './proxied-database.ts';

if (!hasPrograms() && process.env.REQUIRE_SERVICES)
  throw new Error('PostgreSQL is required, and not installed.');

const outagesEach = 3;

let built: Awaited<ReturnType<typeof buildForNode>>;
let postgres: PrivateService;

/** Two servers of a shop, under load, whose database is reached through a proxy. */
async function openShop() {
  const { database, ...databases } = await openProxiedDatabase(postgres);
  const shop = await createShop(built.file, database);
  await Promise.all([shop.start(0), shop.start(1)]);
  const load = startLoad(shop);
  await load.visits(10);
  return { shop, load, ...databases };
}

type OpenShop = Awaited<ReturnType<typeof openShop>>;

type Readiness = { status: number; store: string };

/**
 * Resolves when the shop says so of itself.
 *
 * @throws {Error} when one of its processes has ended
 */
async function untilReadiness(
  { url, exited, complaints }: Shop,
  isMet: (readiness: Readiness) => boolean,
): Promise<void> {
  let hasEnded = false;
  for (const place of [0, 1]) {
    exited(place).then(() => {
      hasEnded = true;
    });
  }
  for (;;) {
    if (hasEnded) throw new Error(`A process of the shop has ended: ${complaints()}`);
    const readiness = await fetch(`${url}/checkout/ready`)
      .then(async (response) => ({ ...(await response.json()), status: response.status }) as Readiness)
      .catch(() => undefined);
    if (readiness !== undefined && isMet(readiness)) return;
    await pause(50);
  }
}

const isDown = ({ status, store }: Readiness): boolean => status === 503 && store === 'down';
const isReady = ({ status, store }: Readiness): boolean => status === 200 && store === 'up';

/** What has to hold after all outages: no process has ended, and each payment was reported exactly once. */
async function expectNothingLost({ shop, load, readLedger }: OpenShop): Promise<void> {
  await load.end();
  const expected = [...load.paid].map((orderId) => `${orderId}:paid`).sort();
  for (const until = Date.now() + 120_000; Date.now() < until; await pause(200)) {
    if ((await readLedger()).length >= expected.length) break;
  }
  expect(await shop.stop(), shop.complaints()).toEqual([0, 0]);
  expect((await readLedger()).sort()).toEqual(expected);
}

type Outage = { name: string; begin: (shop: OpenShop) => unknown; end: (shop: OpenShop) => unknown };

const cutAndPause = (proxyOf: (shop: OpenShop) => TcpProxy, service: () => PrivateService): Outage[] => [
  { name: 'cut', begin: (shop) => proxyOf(shop).refuse(), end: (shop) => proxyOf(shop).restore() },
  { name: 'paused', begin: () => service().pause(), end: () => service().resume() },
];

const restarts: (NodeJS.Signals & ('SIGINT' | 'SIGQUIT'))[] = ['SIGINT', 'SIGQUIT'];

const duringOutage = async (
  open: OpenShop,
  outage: Outage,
  during: (load: Load) => Promise<void>,
): Promise<void> => {
  try {
    await outage.begin(open);
    await during(open.load);
  } finally {
    await outage.end(open);
  }
};

describe.skipIf(!hasPrograms())('two servers under load', () => {
  beforeAll(async () => {
    built = await buildForNode(new URL('../kill/shop-process.ts', import.meta.url));
    postgres = await startPostgres();
  });
  afterAll(() => Promise.all([postgres.close(), built.remove()]));

  it.each(
    cutAndPause(
      (shop) => shop.toPostgres,
      () => postgres,
    ),
  )('say that they are not ready while PostgreSQL is $name, and lose nothing', async (outage) => {
    const open = await openShop();
    for (let n = 0; n < outagesEach; n++) {
      await duringOutage(open, outage, () => untilReadiness(open.shop, isDown));
      await untilReadiness(open.shop, isReady);
      await open.load.visits(10);
    }
    await expectNothingLost(open);
  });

  it.each(restarts)('lose nothing when PostgreSQL is restarted with %s', async (signal) => {
    const open = await openShop();
    for (let n = 0; n < outagesEach; n++) {
      await postgres.restart(signal);
      await untilReadiness(open.shop, isReady);
      await open.load.visits(10);
    }
    await expectNothingLost(open);
  });
});
