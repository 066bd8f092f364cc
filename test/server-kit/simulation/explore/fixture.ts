import type { Checkout } from '../../../../server-kit/engine/create-checkout.ts';
import { createMemoryStore } from '../../../../server-kit/stores/memory.ts';
import { createSandbox, type Sandbox } from '../../../../server-kit/tools/sandbox/index.ts';
import type { Session } from '../../../../src/contract/index.ts';
import { checkAtTheEnd } from '../final-checks.ts';
import { type Bank, createBank } from '../service/bank.ts';
import { createObserver, type Observer } from '../service/observer.ts';
import { createDecisions } from '../shop/decisions.ts';
import { createCheckoutIn, sendTo } from '../shop/fleet.ts';
import { createLedger } from '../shop/ledger.ts';
import { createNotifications } from '../shop/notifications.ts';
import { createScreens, type Screens } from '../shoppers/screens.ts';
import type { SendFromBrowser } from '../shoppers/tabs.ts';
import { createTiming } from '../shoppers/timing.ts';
import { createStoreLog, watchStore } from '../store/watched-store.ts';
import type { World } from '../world/settings.ts';
import type { Scheduler } from './scheduler.ts';
import { type SteppedProcess, steppedStore } from './stepped-process.ts';
import { type ServiceBehaviour, steppedService } from './stepped-service.ts';
import { createShop } from './stepped-shop.ts';

export const orderId = 'order-0';
const verificationIntervalMs = 2000;

export type FixtureOptions = {
  /** The number of instances of the shop. Default: 1. */
  instances?: number;
  /** The behaviour of the service at the start. Default: it behaves well. */
  behaviour?: ServiceBehaviour;
  /** Whether every callback is lost. */
  hasNoCallbacks?: boolean;
};

/** What a scenario works with: a shop, its service, and one order. */
export type Fixture = {
  world: World;
  scheduler: Scheduler;
  sandbox: Sandbox;
  bank: Bank;
  screens: Screens;
  /** The price of the order in minor units, and the lifetime of its accounts. */
  order: { value: number; expiresInSeconds: number };
  /** Replaces the behaviour of the service. */
  setBehaviour: (behaviour: ServiceBehaviour) => void;
  /** Sends a request to a running instance. */
  send: SendFromBrowser;
  /** When the service last became able to create an account, in milliseconds since the epoch; Infinity while it cannot. */
  ableSinceMs: () => number;
  /** Checks that the shop has recorded all money that has arrived. Call it while a tab polls. */
  expectMoneyRecorded: () => void;
  /** The sessions that shoppers received, by reference. */
  sessions: Map<string, Session>;
};

export type FixtureControls = {
  fixture: Fixture;
  /** Waits until everything is quiet, rereads every tab, and runs the final checks. */
  settle: () => Promise<void>;
  end: () => Promise<void>;
};

export function createFixture(options: FixtureOptions, world: World, scheduler: Scheduler): FixtureControls {
  const { clock } = world;
  const order = { value: 1_250_000, expiresInSeconds: 60 };
  let behaviour: ServiceBehaviour = options.behaviour ?? {};
  let behaviourSinceMs = clock.now();
  const screens = createScreens(world);
  const observer = createObserver(world);
  const log = createStoreLog();
  const memory = createMemoryStore({ now: world.storeNow });
  const deliver = callbackDelivery({
    world,
    scheduler,
    observer,
    hasNoCallbacks: options.hasNoCallbacks === true,
    send: (request) => shop.send(request, () => {}),
  });
  const sandbox = createSandbox({
    now: clock.now,
    wait: clock.wait,
    random: world.random.fork('service').next,
    fetch: deliver,
    confirmationSeconds: world.times.confirmationSeconds,
    defaultExpiresInSeconds: world.times.linkSeconds,
  });
  const bank = createBank(world, sandbox);
  const ledger = createLedger(world, bank);
  const timing = createTiming(world);
  const decisions = createDecisions({ world, log, bank, serviceLagMs: 0 });
  const orders = {
    orderOf: () => ({
      orderId,
      amount: { value: order.value, currency: 'NGN' as const },
      expiresInSeconds: order.expiresInSeconds,
    }),
  };
  const parts = { world, sandbox, bank, observer, deliver, ledger, log, screens, timing, decisions, orders };
  const common = {
    ...parts,
    notify: createNotifications(world),
    verificationsPerSecond: 20,
    verificationIntervalMs,
  };

  const openInstance = (process: SteppedProcess): Checkout =>
    createCheckoutIn(common, process, {
      service: steppedService(process, { ...parts, behaviour: () => behaviour }),
      store: steppedStore(process, watchStore(common, process, memory)),
    });
  const shop = createShop({
    instances: options.instances ?? 1,
    world,
    scheduler,
    open: openInstance,
    sendTo: (instance, request) => sendTo(parts, instance, request),
  });
  const sessions = new Map<string, Session>();
  const fixture: Fixture = {
    world,
    scheduler,
    sandbox,
    bank,
    screens,
    order,
    sessions,
    send: shop.send,
    setBehaviour(next) {
      behaviour = next;
      behaviourSinceMs = clock.now();
    },
    ableSinceMs: () =>
      behaviour.isSilent || behaviour.failsAfterCreating || behaviour.expiresAt !== undefined
        ? Infinity
        : Math.max(behaviourSinceMs, scheduler.deviatedAtMs()),
    expectMoneyRecorded() {
      for (const { reference, chargedAmount } of sandbox.control.listPayments())
        if ((log.records.get(reference)?.observed?.chargedAmount ?? 0) < chargedAmount)
          world.violate(
            'money is recorded while a tab polls',
            reference,
            `${reference} holds ${chargedAmount}`,
          );
    },
  };

  return {
    fixture,
    async settle() {
      await readTabsTwice(fixture, shop.slowDown);
      const shoppers = { received: () => [...sessions.keys()] };
      const measures = await memory.readStatus({ mostWaiting: 0 });
      checkAtTheEnd({ ...parts, shoppers, measures, committed: undefined, isExactlyOnce: false });
    },
    async end() {
      for (const tab of screens.openTabs()) tab.close();
      shop.end();
      await sandbox.close();
    },
  };
}

type CallbackParts = {
  world: World;
  scheduler: Scheduler;
  observer: Observer;
  hasNoCallbacks: boolean;
  send: (request: Parameters<SendFromBrowser>[0]) => ReturnType<SendFromBrowser>;
};

/** The connection from the service to the shop, with a step before each callback. */
function callbackDelivery(parts: CallbackParts): typeof globalThis.fetch {
  const { world, scheduler, observer, hasNoCallbacks, send } = parts;
  return async (input, init = {}) => {
    const body = String(init.body);
    const { reference } = (JSON.parse(body) as { data: { reference: string } }).data;
    const sentAtMs = world.clock.now();
    const action = await scheduler.step('a callback', ['lose', 'hold']);
    if (action === 'lose' || hasNoCallbacks) throw new TypeError('fetch failed');
    const headers = init.headers as Record<string, string>;
    const { status } = await send({ method: 'POST', url: String(input), headers, body });
    if (status === 204) observer.acknowledged(reference, sentAtMs);
    return new Response(null, { status });
  };
}

/** Refreshes and checks every tab twice: half a minute after the last event, and 45 minutes later. */
async function readTabsTwice({ world, screens }: Fixture, slowDown: () => void): Promise<void> {
  const { clock } = world;
  const read = async (): Promise<void> => {
    for (const tab of screens.openTabs()) tab.refresh();
    await clock.wait(20_000);
    screens.checkAtRest();
  };
  await clock.wait(30_000);
  await read();
  for (const tab of screens.openTabs()) tab.setVisible(false);
  slowDown();
  await clock.wait(45 * 60_000);
  for (const tab of screens.openTabs()) tab.setVisible(true);
  await read();
}
