import type { PlainResponse } from '../../../../server-kit/core/http.ts';
import type { Checkout } from '../../../../server-kit/engine/create-checkout.ts';
import type { RequestParts } from '../shop/plain-requests.ts';
import type { SendFromBrowser } from '../shoppers/tabs.ts';
import type { World } from '../world/settings.ts';
import type { Scheduler } from './scheduler.ts';
import { createSteppedProcess, type SteppedProcess } from './stepped-process.ts';

/** The time between two rounds of an instance. */
const roundMs = 4000;

export type SteppedInstance = { process: SteppedProcess; checkout: Checkout };

type Shop = {
  /** Sends a request to a running instance, to each in turn. */
  send: SendFromBrowser;
  /** Runs the rounds only every half minute. */
  slowDown: () => void;
  end: () => void;
};

export type ShopParts = {
  instances: number;
  world: World;
  scheduler: Scheduler;
  open: (process: SteppedProcess) => Checkout;
  sendTo: (instance: SteppedInstance, request: RequestParts) => Promise<PlainResponse>;
};

/** Starts the instances of the shop. A killed instance restarts after a second. */
export function createShop({ instances: instanceCount, world, scheduler, open, sendTo }: ShopParts): Shop {
  const { clock, random } = world;
  const instances: (SteppedInstance | undefined)[] = [];
  let isOver = false;
  let betweenMs = roundMs;
  let turn = 0;
  const runRounds = async ({ process, checkout }: SteppedInstance): Promise<void> => {
    while (process.isAlive() && !isOver) {
      checkout.reconcile().catch(() => {});
      await process.wait(betweenMs);
    }
  };
  const start = (index: number, generation: number): void => {
    const name = `${String.fromCharCode(97 + index)}${generation}`;
    const process = createSteppedProcess(world, scheduler, { name, random: random.fork(name) });
    const instance = { process, checkout: open(process) };
    instances[index] = instance;
    runRounds(instance);
    process.death.then(() => {
      instances[index] = undefined;
      if (!isOver) clock.after(1000, () => start(index, generation + 1));
    });
  };
  for (let index = 0; index < instanceCount; index++) start(index, 0);
  return {
    async send(request, onInstance) {
      const alive = instances.filter((instance) => instance !== undefined);
      const instance = alive[turn++ % alive.length];
      if (instance === undefined) throw new TypeError('fetch failed');
      onInstance(instance.process);
      return sendTo(instance, request);
    },
    slowDown: () => {
      betweenMs = 30_000;
    },
    end() {
      isOver = true;
      for (const instance of instances) instance?.process.kill();
    },
  };
}
