import type { Bus } from '../../../server-kit/buses/bus.ts';
import { type Checkout, createCheckout } from '../../../server-kit/checkout.ts';
import { createPaymentsClient } from '../../../server-kit/client.ts';
import type { PlainResponse } from '../../../server-kit/plain-http.ts';
import type { Sandbox } from '../../../server-kit/sandbox/index.ts';
import type { Store } from '../../../server-kit/stores/store.ts';
import type { Bank } from './bank.ts';
import { createHandlers } from './handlers.ts';
import type { Ledger } from './ledger.ts';
import { servicePort } from './network.ts';
import type { Observer } from './observer.ts';
import { plainRequest, type RequestParts } from './plain-requests.ts';
import { createProcess, type SimulatedProcess } from './process.ts';
import type { Times, World } from './settings.ts';
import type { OrderDesk } from './shoppers.ts';
import { storePort } from './store-port.ts';
import { grantedBy, type StoreLog, watchStore } from './watched-store.ts';

export const shopUrl = 'https://shop.example';
export const reconcileKey = 'the-key-of-the-timetable-of-the-shop';
const clientSecretKeys = ['a-key-that-is-only-for-simulations!!'];

export type FleetParts = {
  world: World;
  sandbox: Sandbox;
  bank: Bank;
  observer: Observer;
  /** The way of callbacks from the service. */
  deliver: typeof globalThis.fetch;
  ledger: Ledger;
  log: StoreLog;
  /** Gives each process its own way into the store that all share. */
  openStore: (process: SimulatedProcess) => Store;
  busFor: (process: SimulatedProcess) => Bus;
  desk: OrderDesk;
  looksPerSecond: number;
};

type Instance = { process: SimulatedProcess; checkout: Checkout };

/** The instances of the merchant's server behind one address. Those that die are started again. */
export type Fleet = {
  /** Sends a request to one of them. Rejects where none is there, or where it dies before it answers. */
  send: (request: RequestParts) => Promise<PlainResponse>;
  /** One that lives; `undefined` where none does. */
  any: () => Instance | undefined;
  /** Kills all that live, for good. */
  end: () => void;
  /** Ends the rounds: from then on the instances only do what they are asked for. */
  stopRounds: () => Promise<void>;
};

export function createFleet(parts: FleetParts): Fleet {
  const { world, observer } = parts;
  const { clock, count, random: worldRandom, settings } = world;
  const random = worldRandom.fork('fleet');
  const instances: (Instance | undefined)[] = [];
  let hasRounds = true;

  function start(index: number, generation: number): void {
    const name = `${String.fromCharCode(97 + index)}${generation}`;
    const process = createProcess(world, name, random.fork(name));
    const checkout = createCheckoutIn(parts, process);
    instances[index] = { process, checkout };
    if (hasRounds) checkout.start();
    count('instances started');
    process.death.then(() => {
      instances[index] = undefined;
      clock.after(process.random.between(500, 45_000), () => start(index, generation + 1));
    });
  }
  for (let index = 0; index < settings.instances; index++) start(index, 0);

  const any = (): Instance | undefined => {
    const alive = instances.filter((instance) => instance !== undefined);
    return alive.length === 0 ? undefined : random.pick(alive);
  };

  return {
    any,
    end() {
      for (const instance of instances) instance?.process.kill();
    },
    async send(request) {
      const instance = any();
      if (instance === undefined) throw new TypeError('fetch failed');
      const { process, checkout } = instance;
      const decides = /\/(sessions|links)$/.test(request.url) ? process : undefined;
      if (decides !== undefined) observer.deciding(decides, 1);
      const lost = process.death.then(() => Promise.reject(new TypeError('fetch failed')));
      try {
        return await Promise.race([checkout.respond(plainRequest(request)), lost]);
      } finally {
        if (decides !== undefined) observer.deciding(decides, -1);
      }
    },
    async stopRounds() {
      hasRounds = false;
      const ended = instances.map(async (instance) => {
        // A handler that never ends is left behind.
        const stopped = instance?.checkout.stop({ patienceMs: 10_000 });
        await Promise.race([stopped, instance?.process.death]).catch(() =>
          count('stops that were not clean'),
        );
        instance?.process.kill();
      });
      await Promise.all(ended);
    },
  };
}

function createCheckoutIn(parts: FleetParts, process: SimulatedProcess): Checkout {
  const { world, observer, ledger, desk, looksPerSecond } = parts;
  const { times, count } = world;
  const { now, wait, random } = process;
  const own = random.fork('own');
  const client = createPaymentsClient({
    ...{ baseUrl: 'https://service.example', apiKey: 'pk_test_sandbox', apiSecret: 'sk_test_sandbox' },
    fetch: servicePort(world, process, parts),
    ...{ now, wait, random: own.next },
  });
  const store = storePort(world, process, watchStore(parts, process, parts.openStore(process)));
  return createCheckout({
    ...createHandlers(world, process, ledger),
    ...optionsOf(times),
    payments: observer.watch(process, client),
    store: {
      ...store,
      async updateBudget(change) {
        const result = await store.updateBudget(change);
        for (let permit = 0; permit < grantedBy(result); permit++) observer.permitted(process);
        return result;
      },
    },
    bus: parts.busFor(process),
    clientSecretKeys,
    publicUrl: shopUrl,
    reconcileKey,
    createPayment: ({ body }) => desk.orderOf(body),
    maxVerificationsPerSecond: looksPerSecond,
    ...{ now, wait, random: own.next, randomBytes: own.bytes },
    onLog(entry) {
      if ('error' in entry) count('errors reported');
      if (entry.type !== 'callback') return;
      const { reference, action } = entry;
      if (action === 'stray') count('callbacks of payments that are not known');
      world.tell(reference, () => `${process.name}: a callback came: ${action}`);
    },
  });
}

const optionsOf = ({ lateWatchSeconds, reversalWatchSeconds, leaseMs }: Times) => ({
  ...{ lateWatchSeconds, reversalWatchSeconds, handlerLeaseMs: leaseMs },
  lookIntervalMs: 5000,
  maxHandlerTries: 20,
});
