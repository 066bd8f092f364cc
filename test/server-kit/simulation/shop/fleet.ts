import { createPaymentsClient } from '../../../../server-kit/core/client.ts';
import type { PlainResponse } from '../../../../server-kit/core/http.ts';
import { type Checkout, createCheckout } from '../../../../server-kit/engine/create-checkout.ts';
import type { Store } from '../../../../server-kit/engine/store.ts';
import type { Sandbox } from '../../../../server-kit/tools/sandbox/index.ts';
import type { Bank } from '../service/bank.ts';
import { servicePort } from '../service/network.ts';
import type { Observer } from '../service/observer.ts';
import type { ServiceNodes } from '../service/service-nodes.ts';
import type { Mail, OrderLookup } from '../shoppers/paying.ts';
import type { Screens } from '../shoppers/screens.ts';
import { storePort } from '../store/store-port.ts';
import { type StoreLog, watchStore } from '../store/watched-store.ts';
import { createProcess, type SimulatedProcess } from '../world/process.ts';
import type { Times, World } from '../world/settings.ts';
import type { Decisions, Timing } from './decisions.ts';
import { createHandlers } from './handlers.ts';
import type { Ledger } from './ledger.ts';
import { plainRequest, type RequestParts } from './plain-requests.ts';

export const shopUrl = 'https://shop.example';
export const operatorKey = 'operator-key-only-for-simulations--';
const clientSecretKeys = ['a-key-that-is-only-for-simulations!!'];

export type FleetParts = {
  world: World;
  sandbox: Sandbox;
  bank: Bank;
  observer: Observer;
  /** Delivers callbacks from the service. */
  deliver: typeof globalThis.fetch;
  ledger: Ledger;
  log: StoreLog;
  screens: Screens;
  nodes: ServiceNodes;
  mail: Mail;
  timing: Timing;
  decisions: Decisions;
  /** The store that all processes share. */
  store: Store;
  /** Lets the store of one process notify those of the others. */
  notify: (process: SimulatedProcess, store: Store) => Store;
  orders: OrderLookup;
  verificationsPerSecond: number;
  verificationIntervalMs: number;
};

/** The connections of one process to the service and the store. */
type Ports = { service: typeof globalThis.fetch; store: Store };

export type Instance = { process: SimulatedProcess; checkout: Checkout };

export type Fleet = ReturnType<typeof createFleet>;

/** Creates the instances of the merchant's server behind a load balancer. Killed instances restart. */
export function createFleet(parts: FleetParts) {
  const { world } = parts;
  const { clock, count, random: worldRandom, settings } = world;
  const random = worldRandom.fork('fleet');
  const instances: (Instance | undefined)[] = [];
  let hasRounds = true;

  function start(index: number, generation: number): void {
    const name = `${String.fromCharCode(97 + index)}${generation}`;
    const process = createProcess(world, name, random.fork(name));
    const checkout = createCheckoutIn(parts, process, {
      service: servicePort(world, process, parts),
      store: storePort(world, process, watchStore(parts, process, parts.store)),
    });
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
    /** Kills all running instances. */
    end(): void {
      for (const instance of instances) instance?.process.kill();
    },
    /** Sends a request to a random instance. Rejects if none is running, or if it is killed before it responds. */
    async send(
      request: RequestParts,
      onInstance?: (process: SimulatedProcess) => void,
    ): Promise<PlainResponse> {
      const instance = any();
      if (instance === undefined) throw new TypeError('fetch failed');
      onInstance?.(instance.process);
      return sendTo(parts, instance, request);
    },
    /** Stops the rounds: after this, instances only handle requests. */
    async stopRounds(): Promise<void> {
      hasRounds = false;
      const ended = instances.map(async (instance) => {
        // Handlers that never end are abandoned.
        const stopped = instance?.checkout.stop({ patienceMs: 10_000 });
        await Promise.race([stopped, instance?.process.death]).catch(() => count('unclean stops'));
        instance?.process.kill();
      });
      await Promise.all(ended);
    },
  };
}

/** Sends a request to an instance and checks the response. Rejects if the instance is killed before it responds. */
async function sendTo(
  { timing, decisions }: Pick<FleetParts, 'timing' | 'decisions'>,
  { process, checkout }: Instance,
  request: RequestParts,
): Promise<PlainResponse> {
  const lost = process.death.then(() => Promise.reject(new TypeError('fetch failed')));
  const respond = (): Promise<PlainResponse> => Promise.race([checkout.respond(plainRequest(request)), lost]);
  // Only requests for an account or a link lead to a decision.
  if (!/\/(sessions|links)$/.test(request.url)) return respond();
  const { orderId } = JSON.parse(request.body ?? '') as { orderId: string };
  const end = decisions.begin(process, orderId);
  let response: PlainResponse | undefined;
  try {
    response = await timing.measure(orderId, process, respond());
    return response;
  } finally {
    end(response);
  }
}

/** Creates the merchant's server in one process. */
function createCheckoutIn(parts: FleetParts, process: SimulatedProcess, { service, store }: Ports): Checkout {
  const { world, observer, ledger, orders, verificationsPerSecond, verificationIntervalMs } = parts;
  const { times, count } = world;
  const { now, wait, random } = process;
  const own = random.fork('own');
  const client = createPaymentsClient({
    baseUrl: 'https://service.example',
    apiKey: 'pk_test_sandbox',
    apiSecret: 'sk_test_sandbox',
    fetch: service,
    now,
    wait,
    random: own.next,
  });
  return createCheckout({
    ...createHandlers(world, process, ledger),
    client: observer.watch(process, client),
    store: parts.notify(process, store),
    clientSecretKeys,
    publicUrl: shopUrl,
    operatorKey,
    getOrder: ({ body }) => orders.orderOf(body),
    maxVerificationsPerSecond: verificationsPerSecond,
    testing: {
      ...testingOf(times),
      verificationIntervalMs,
      now,
      wait,
      random: own.next,
      randomBytes: own.bytes,
    },
    onLog(entry) {
      if ('error' in entry) count('errors reported');
      if (entry.type !== 'callback') return;
      const { reference, action } = entry;
      if (action === 'unknown') count('callbacks of unknown payments');
      world.note(reference, () => `${process.name}: callback received: ${action}`);
    },
  });
}

const testingOf = ({ lateWatchSeconds, reversalWatchSeconds, leaseMs }: Times) => ({
  lateWatchSeconds,
  reversalWatchSeconds,
  handlerLeaseMs: leaseMs,
});
