import type { Store } from '../../../../server-kit/stores/store.ts';
import { operations } from '../store/store-port.ts';
import type { SimulatedProcess } from '../world/process.ts';
import type { Random } from '../world/random.ts';
import type { World } from '../world/settings.ts';
import type { Action, Scheduler } from './scheduler.ts';

/** A process that dies where the schedule says so, and only there. */
export type StagedProcess = SimulatedProcess & {
  /** A point at which it may die, or be overtaken; gives any other action that the schedule has for it. */
  at: (label: string, actions: readonly Action[]) => Promise<Action | undefined>;
};

const never = (): Promise<never> => new Promise(() => {});

export function createStagedProcess(
  { clock, count }: World,
  scheduler: Scheduler,
  { name, random }: { name: string; random: Random },
): StagedProcess {
  let isAlive = true;
  let onDeath = (): void => {};
  const death = new Promise<void>((resolve) => {
    onDeath = resolve;
  });
  const kill = (): void => {
    if (!isAlive) return;
    isAlive = false;
    count('instances killed');
    onDeath();
  };
  const at: StagedProcess['at'] = async (label, actions) => {
    if (!isAlive) await never();
    const action = await scheduler.step(`${name}: ${label}`, ['kill', ...actions]);
    if (action === 'kill') kill();
    if (!isAlive) await never();
    return action;
  };
  return {
    ...{ name, random, at, death, kill, now: clock.now },
    isAlive: () => isAlive,
    async wait(ms, signal) {
      await clock.wait(ms, signal);
      if (!isAlive) await never();
    },
    async port(work) {
      await at('before a handler', []);
      const result = await work();
      await at('after a handler', []);
      return result;
    },
    disturbedAtMs: () => 0,
    heldMs: () => 0,
    disturb: () => {},
  };
}

/** The store as one process sees it: before and after each call there is a step. */
export function stagedStore(process: StagedProcess, store: Store): Store {
  const staged = { ...store };
  for (const name of operations) {
    const operation = store[name] as (...args: unknown[]) => Promise<unknown>;
    const call = async (...args: unknown[]): Promise<unknown> => {
      if ((await process.at(`before ${name}`, ['fail'])) === 'fail')
        throw new Error('The connection to the store is lost.');
      const result = await operation(...args);
      if ((await process.at(`after ${name}`, ['lose'])) === 'lose')
        throw new Error('The connection to the store was lost before its response came.');
      return result;
    };
    Object.assign(staged, { [name]: call });
  }
  return staged;
}
