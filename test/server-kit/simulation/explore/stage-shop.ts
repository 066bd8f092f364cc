import type { Checkout } from '../../../../server-kit/checkout.ts';
import type { PlainResponse } from '../../../../server-kit/http/plain-http.ts';
import type { RequestParts } from '../shop/plain-requests.ts';
import type { SendFromBrowser } from '../shoppers/tabs.ts';
import type { World } from '../world/settings.ts';
import type { Scheduler } from './scheduler.ts';
import { createStagedProcess, type StagedProcess } from './stage-process.ts';

/** The time between two rounds of an instance. */
const roundMs = 4000;

export type StagedInstance = { process: StagedProcess; checkout: Checkout };

type Shop = {
  /** Sends a request to an instance that lives, to one after the other. */
  send: SendFromBrowser;
  /** From now on the rounds are half a minute apart. */
  slowDown: () => void;
  end: () => void;
};

export type ShopParts = {
  /** How many instances there are. */
  instances: number;
  world: World;
  scheduler: Scheduler;
  open: (process: StagedProcess) => Checkout;
  sendTo: (instance: StagedInstance, request: RequestParts) => Promise<PlainResponse>;
};

/** The instances of the shop. One that dies is there again after a second. */
export function createShop({ instances: wanted, world, scheduler, open, sendTo }: ShopParts): Shop {
  const { clock, random } = world;
  const instances: (StagedInstance | undefined)[] = [];
  let isOver = false;
  let betweenMs = roundMs;
  let turn = 0;
  const runRounds = async ({ process, checkout }: StagedInstance): Promise<void> => {
    while (process.isAlive() && !isOver) {
      checkout.reconcile().catch(() => {});
      await process.wait(betweenMs);
    }
  };
  const start = (index: number, generation: number): void => {
    const name = `${String.fromCharCode(97 + index)}${generation}`;
    const process = createStagedProcess(world, scheduler, { name, random: random.fork(name) });
    const instance = { process, checkout: open(process) };
    instances[index] = instance;
    runRounds(instance);
    process.death.then(() => {
      instances[index] = undefined;
      if (!isOver) clock.after(1000, () => start(index, generation + 1));
    });
  };
  for (let index = 0; index < wanted; index++) start(index, 0);
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
