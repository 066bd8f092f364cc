import { createSandbox } from '../../../server-kit/tools/sandbox/index.ts';
import { checkAtTheEnd } from './final-checks.ts';
import { createBank } from './service/bank.ts';
import { callbackPort } from './service/network.ts';
import { createObserver } from './service/observer.ts';
import { createServiceNodes, longestLagMs } from './service/service-nodes.ts';
import { createFleet, type Fleet, operatorKey, shopUrl } from './shop/fleet.ts';
import { createLedger } from './shop/ledger.ts';
import { createPostWatch } from './shop/posts.ts';
import { createScreens, type Screens } from './shoppers/screens.ts';
import { createShoppers, type Shoppers } from './shoppers/shoppers.ts';
import { createNotifications, openSharedStore } from './store/store-port.ts';
import { createStoreLog } from './store/watched-store.ts';
import { createWorld, type RunResult, startMs, type WaveSettings, type World } from './world/world.ts';

export async function runWave(settings: WaveSettings): Promise<RunResult> {
  const world = createWorld(settings);
  const { result, clock, random, times } = world;

  let fleet: Fleet | undefined;
  const log = createStoreLog();
  const observer = createObserver(world);
  const screens = createScreens(world);
  const deliver = callbackPort(
    world,
    (request) => fleet?.send(request) ?? Promise.reject(new TypeError('fetch failed')),
    (reference, sentAtMs) => observer.acknowledged(reference, sentAtMs),
  );
  const sandbox = createSandbox({
    now: clock.now,
    wait: clock.wait,
    random: random.fork('service').next,
    confirmationSeconds: times.confirmationSeconds,
    defaultExpiresInSeconds: times.linkSeconds,
    fetch: deliver,
  });
  const bank = createBank(world, sandbox);
  const ledger = createLedger(world, bank);
  const shoppers = createShoppers(world, bank, screens);
  const store = openSharedStore(world);
  const common = { world, sandbox, bank, observer, deliver, ledger, log, screens };
  const parts = {
    ...common,
    nodes: createServiceNodes(world),
    mail: shoppers.mail,
    watchPost: createPostWatch({ ...common, serviceLagMs: longestLagMs }),
  };
  fleet = createFleet({
    ...parts,
    store,
    notify: createNotifications(world),
    orderOf: shoppers.orderOf,
    verificationsPerSecond: 4 + Math.ceil(settings.orders / 40),
  });

  const isOver = (): boolean => result.violations.length > 0;
  const until = (ms: number): Promise<void> => clock.runUntil(startMs + ms, isOver);
  sandbox.control.setCallbackDelivery({ drop: settings.faults, double: settings.faults });
  changeDelivery(world, (delivery) => sandbox.control.setCallbackDelivery(delivery));
  shoppers.arrive(fleet);
  await until(times.roundsEndMs);
  const stopped = fleet.stopRounds();
  reconcileOnSchedule(world, fleet);
  await until(times.faultsEndMs);
  world.endFaults();
  sandbox.control.setCallbackDelivery({ drop: 0, double: 0, delaySeconds: 0, reorder: false });
  await until(times.endMs);
  if (!isOver()) {
    await stopped;
    await rereadSessions(world, shoppers, screens, fleet, until);
    const measures = await store.readStatus({ mostWaiting: 0 });
    checkAtTheEnd({ ...parts, shoppers, measures, isExactlyOnce: store.transact !== undefined });
  }
  fleet.end();
  await sandbox.close();
  return result;
}

/** Enough time for every tab to read its payment and start its next long poll. */
const readingMs = 30_000;

/** Checks that shoppers who come back see the same state in all sessions of an order. */
async function rereadSessions(
  { times }: World,
  shoppers: Shoppers,
  screens: Screens,
  fleet: Fleet,
  until: (ms: number) => Promise<void>,
): Promise<void> {
  for (const tab of screens.openTabs()) tab.close();
  shoppers.rereadSessions(fleet);
  for (const tab of screens.openTabs()) tab.refresh();
  await until(times.endMs + readingMs);
  screens.checkAtRest();
  for (const tab of screens.openTabs()) tab.close();
}

/** Delays callbacks by up to three hours at times, and reverses their order at times. */
function changeDelivery(
  world: World,
  set: (delivery: { delaySeconds: number; reorder: boolean }) => void,
): void {
  const { clock, faults } = world;
  const random = world.random.fork('delivery');
  const change = (): void => {
    if (faults() === 0) return;
    const delaySeconds = random.chance(faults()) ? random.whole(60, 3 * 3600) : 0;
    set({ delaySeconds, reorder: random.chance(faults()) });
    clock.after(random.between(10_000, 120_000), change);
  };
  change();
}

/** Requests reconciliation on a schedule, as on serverless platforms, where no instance runs rounds of its own. */
function reconcileOnSchedule({ clock, count, random: worldRandom, times }: World, fleet: Fleet): void {
  const random = worldRandom.fork('timetable');
  const reconcile = async (): Promise<void> => {
    const headers = { authorization: `Bearer ${operatorKey}` };
    const response = await fleet
      .send({ method: 'POST', url: `${shopUrl}/checkout/reconcile`, headers })
      .catch((error: unknown) => {
        if (!(error instanceof TypeError)) throw error;
        return undefined;
      });
    count('scheduled reconciliations');
    const isDone =
      response?.status === 200 && !(JSON.parse(response.body ?? '{}') as { hasMore?: boolean }).hasMore;
    const slowdown = clock.now() > startMs + times.faultsEndMs ? 5 : 1;
    const afterMs = isDone ? slowdown * random.between(30_000, 90_000) : random.between(500, 4000);
    clock.after(afterMs, () => void reconcile());
  };
  reconcile();
  reconcile();
}
