import { createPaymentsClient } from '../../../../server-kit/core/client.ts';
import type { PlainResponse } from '../../../../server-kit/core/http.ts';
import { type Checkout, createCheckout } from '../../../../server-kit/engine/create-checkout.ts';
import type { OrderInput } from '../../../../server-kit/engine/order/request.ts';
import type { Store } from '../../../../server-kit/engine/store.ts';
import type { Bank } from '../service/bank.ts';
import { type ServiceParts, servicePort } from '../service/network.ts';
import type { Screens } from '../shoppers/screens.ts';
import { storePort } from '../store/store-port.ts';
import { type StoreLog, watchStore } from '../store/watched-store.ts';
import { createProcess, type SimulatedProcess } from '../world/process.ts';
import type { World } from '../world/world.ts';
import { createHandlers, type Ledger } from './ledger.ts';
import { plainRequest, type RequestParts } from './plain-requests.ts';
import type { WatchPost } from './posts.ts';

export const shopUrl = 'https://shop.example';
export const operatorKey = 'operator-key-only-for-simulations--';
const clientSecretKeys = ['a-key-that-is-only-for-simulations!!'];

export type FleetParts = ServiceParts & {
  world: World;
  bank: Bank;
  ledger: Ledger;
  log: StoreLog;
  screens: Screens;
  watchPost: WatchPost;
  store: Store;
  /** Lets the store of one process notify those of the others. */
  notify: (process: SimulatedProcess, store: Store) => Store;
  orderOf: (body: unknown) => OrderInput;
  verificationsPerSecond: number;
};

type Instance = { process: SimulatedProcess; checkout: Checkout };

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

  return {
    end(): void {
      for (const instance of instances) instance?.process.kill();
    },
    /** Sends a request to a random instance. Rejects if none is running, or if it is killed before it responds. */
    async send(
      request: RequestParts,
      onInstance?: (process: SimulatedProcess) => void,
    ): Promise<PlainResponse> {
      const alive = instances.filter((instance) => instance !== undefined);
      if (alive.length === 0) throw new TypeError('fetch failed');
      const instance = random.pick(alive);
      onInstance?.(instance.process);
      return sendTo(parts.watchPost, instance, request);
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
function sendTo(
  watchPost: WatchPost,
  { process, checkout }: Instance,
  request: RequestParts,
): Promise<PlainResponse> {
  const lost = process.death.then(() => Promise.reject(new TypeError('fetch failed')));
  const response = Promise.race([checkout.respond(plainRequest(request)), lost]);
  if (!/\/(sessions|links)$/.test(request.url)) return response;
  const { orderId } = JSON.parse(request.body ?? '') as { orderId: string };
  return watchPost(orderId, process, response);
}

function createCheckoutIn(parts: FleetParts, process: SimulatedProcess): Checkout {
  const { world, observer, ledger, orderOf, verificationsPerSecond } = parts;
  const { count } = world;
  const { lateWatchSeconds, reversalWatchSeconds, leaseMs } = world.times;
  const { now, wait, random } = process;
  const own = random.fork('own');
  const client = createPaymentsClient({
    baseUrl: 'https://service.example',
    apiKey: 'pk_test_sandbox',
    apiSecret: 'sk_test_sandbox',
    fetch: servicePort(world, process, parts),
    now,
    wait,
    random: own.next,
  });
  return createCheckout({
    ...createHandlers(world, process, ledger),
    client: observer.watch(process, client),
    store: parts.notify(process, storePort(world, process, watchStore(parts, process, parts.store))),
    clientSecretKeys,
    publicUrl: shopUrl,
    operatorKey,
    getOrder: ({ body }) => orderOf(body),
    maxVerificationsPerSecond: verificationsPerSecond,
    testing: {
      lateWatchSeconds,
      reversalWatchSeconds,
      handlerLeaseMs: leaseMs,
      verificationIntervalMs: 5000,
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
