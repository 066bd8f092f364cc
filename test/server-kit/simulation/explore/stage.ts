import type { Checkout } from '../../../../server-kit/checkout.ts';
import { createSandbox, type Sandbox } from '../../../../server-kit/sandbox/index.ts';
import { createMemoryStore } from '../../../../server-kit/stores/memory.ts';
import type { Session } from '../../../../src/contract/index.ts';
import { checkAtTheEnd } from '../final-checks.ts';
import { type Bank, createBank } from '../service/bank.ts';
import { createObserver } from '../service/observer.ts';
import { createSimulatedBus } from '../shop/bus.ts';
import { createDecisions } from '../shop/decisions.ts';
import { createCheckoutIn, sendTo } from '../shop/fleet.ts';
import { createLedger } from '../shop/ledger.ts';
import { createScreens, type Screens } from '../shoppers/screens.ts';
import type { SendFromBrowser } from '../shoppers/tabs.ts';
import { createTiming } from '../shoppers/timing.ts';
import { createStoreLog, watchStore } from '../store/watched-store.ts';
import { startMs, type Times, type World } from '../world/settings.ts';
import { createWorld, emptyResult, type RunResult } from '../world/world.ts';
import { createScheduler, type Deviation, type Scheduler, type TakenStep } from './scheduler.ts';
import { type StagedProcess, stagedStore } from './stage-process.ts';
import { type ServiceManner, stagedService } from './stage-service.ts';
import { createShop } from './stage-shop.ts';

export const orderId = 'order-0';
const verificationIntervalMs = 2000;

/** A short play about one order. It is played again and again, with another mishap at another step each time. */
export type Scene = {
  name: string;
  /** How many instances the shop has. Default: 1. */
  instances?: number;
  /** How long the service takes to confirm money, in seconds. Default: 0. */
  confirmationSeconds?: number;
  /** How the service behaves from the start. */
  manner?: ServiceManner;
  /** No callback ever arrives. */
  hasNoCallbacks?: boolean;
  play: (stage: Stage) => Promise<void>;
};

/** Where a scene is played: a shop of one or two instances, its service, and one order. */
export type Stage = {
  world: World;
  scheduler: Scheduler;
  sandbox: Sandbox;
  bank: Bank;
  screens: Screens;
  /** What the order costs, and how long an account waits. */
  order: { value: number; expiresInSeconds: number };
  /** What the service does differently from now on. */
  setManner: (manner: ServiceManner) => void;
  /** Sends a request to an instance that lives. */
  send: SendFromBrowser;
  /** Since when nothing is in the way of an account: the service gives what it is asked for. Infinite while it does not. */
  ableSinceMs: () => number;
  /** Checks that the shop knows by now of all money that has come: somebody waits for it. */
  expectKnown: () => void;
  /** The sessions that were given out. */
  sessions: Map<string, Session>;
};

export type StageRun = RunResult & { taken: readonly TakenStep[] };

/** Plays one scene with these deviations, to the end of all watches, and checks what has come of it. */
export async function playScene(
  scene: Scene,
  options: { seed: number; deviations: readonly Deviation[]; trace?: boolean; rule?: string | undefined },
): Promise<StageRun> {
  const result = emptyResult();
  const { seed, deviations, rule } = options;
  const trace = options.trace ? orderId : undefined;
  const settings = {
    seed,
    wave: 0,
    orders: 1,
    faults: 0,
    instances: 1,
    store: 'memory',
    trace,
    rule,
  } as const;
  const chooseTimes = (): Times => timesOf(scene);
  const world = createWorld({ settings, result, faults: () => 0, chooseTimes });
  const scheduler = createScheduler(world.clock, deviations);
  const { stage, rest, end } = setStage(scene, world, scheduler);
  let isOver = false;
  const isDone = (): boolean => isOver || result.violations.length > 0;
  const script = (async () => {
    scheduler.setCounting(true);
    await scene.play(stage);
    scheduler.setCounting(false);
    await rest();
    isOver = true;
  })();
  await Promise.race([script, world.clock.runUntil(startMs + 6 * 3_600_000, isDone)]);
  if (!isDone()) world.violate('a scene ends', orderId, 'somebody waits for ever');
  await end();
  return { ...result, taken: scheduler.taken };
}

const timesOf = ({ confirmationSeconds = 0 }: Scene): Times => ({
  ...{ lateWatchSeconds: 3600, reversalWatchSeconds: 3600, leaseMs: 5000, confirmationSeconds },
  ...{ linkSeconds: 90, arrivalMs: 0, activeMs: 0, stormMs: 0, endMs: 0 },
});

function setStage(scene: Scene, world: World, scheduler: Scheduler) {
  const { clock } = world;
  const order = { value: 1_250_000, expiresInSeconds: 60 };
  let manner: ServiceManner = scene.manner ?? {};
  let mannerSinceMs = clock.now();
  const screens = createScreens(world);
  const observer = createObserver(world);
  const log = createStoreLog();
  const memory = createMemoryStore({ now: world.storeNow });

  const deliver: typeof globalThis.fetch = async (input, init = {}) => {
    const body = String(init.body);
    const { reference } = (JSON.parse(body) as { data: { reference: string } }).data;
    const sentAtMs = clock.now();
    const action = await scheduler.step('a callback', ['lose', 'hold']);
    if (action === 'lose' || scene.hasNoCallbacks) throw new TypeError('fetch failed');
    const headers = init.headers as Record<string, string>;
    const { status } = await shop.send({ method: 'POST', url: String(input), headers, body }, () => {});
    if (status === 204) observer.acknowledged(reference, sentAtMs);
    return new Response(null, { status });
  };
  const sandbox = createSandbox({
    ...{ now: clock.now, wait: clock.wait, random: world.random.fork('service').next, fetch: deliver },
    ...{
      confirmationSeconds: world.times.confirmationSeconds,
      defaultExpiresInSeconds: world.times.linkSeconds,
    },
  });
  const bank = createBank(world, sandbox);
  const ledger = createLedger(world, bank);
  const timing = createTiming(world);
  const decisions = createDecisions({ world, log, bank, serviceLagMs: 0 });
  const desk = {
    orderOf: () => ({
      orderId,
      amount: { value: order.value, currency: 'NGN' as const },
      expiresInSeconds: order.expiresInSeconds,
    }),
  };
  const parts = { world, sandbox, bank, observer, deliver, ledger, log, screens, timing, decisions, desk };
  const common = {
    ...parts,
    busFor: createSimulatedBus(world),
    verificationsPerSecond: 20,
    verificationIntervalMs,
  };

  const openInstance = (process: StagedProcess): Checkout =>
    createCheckoutIn(common, process, {
      service: stagedService(process, { ...parts, manner: () => manner }),
      store: stagedStore(process, watchStore(common, process, memory)),
    });
  const shop = createShop({
    ...{ instances: scene.instances ?? 1, world, scheduler, open: openInstance },
    sendTo: (instance, request) => sendTo(parts, instance, request),
  });
  const sessions = new Map<string, Session>();
  const stage: Stage = {
    ...{ world, scheduler, sandbox, bank, screens, order, sessions, send: shop.send },
    setManner(next) {
      manner = next;
      mannerSinceMs = clock.now();
    },
    ableSinceMs: () =>
      manner.isSilent || manner.failsAfterCreating || manner.expiresAt !== undefined
        ? Infinity
        : Math.max(mannerSinceMs, scheduler.deviatedAtMs()),
    expectKnown() {
      for (const { reference, chargedAmount } of sandbox.control.listPayments())
        if ((log.records.get(reference)?.observed?.chargedAmount ?? 0) < chargedAmount)
          world.violate(
            'money is found while somebody waits',
            reference,
            `${reference} holds ${chargedAmount}`,
          );
    },
  };

  /** Lets everything come to rest, reads every tab again, and lets the watches go on for a while. */
  const rest = async (): Promise<void> => {
    await clock.wait(30_000);
    const read = async (): Promise<void> => {
      for (const tab of screens.openTabs()) tab.refresh();
      await clock.wait(20_000);
      screens.checkAtRest();
    };
    await read();
    for (const tab of screens.openTabs()) tab.setVisible(false);
    shop.slowDown();
    await clock.wait(45 * 60_000);
    for (const tab of screens.openTabs()) tab.setVisible(true);
    await read();
    const shoppers = { given: () => [...sessions.keys()] };
    const measures = await memory.measure();
    checkAtTheEnd({ ...parts, shoppers, measures, committed: undefined, isExactlyOnce: false });
  };
  const end = async (): Promise<void> => {
    for (const tab of screens.openTabs()) tab.close();
    shop.end();
    await sandbox.close();
  };
  return { stage, rest, end };
}
