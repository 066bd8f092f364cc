import type { Store } from '../../../../server-kit/engine/store.ts';
import { wrapStore } from '../store/store-port.ts';
import { createLifetime, never, type SimulatedProcess } from '../world/process.ts';
import type { Random } from '../world/random.ts';
import type { World } from '../world/settings.ts';
import type { Action, Scheduler } from './scheduler.ts';

/** A process that is killed only at the steps that the schedule names. */
export type SteppedProcess = SimulatedProcess & {
  /** Takes a step, at which the process may be killed or reordered. Returns any other action that the schedule has for it. */
  at: (label: string, actions: readonly Action[]) => Promise<Action | undefined>;
};

export function createSteppedProcess(
  { clock, count }: World,
  scheduler: Scheduler,
  { name, random }: { name: string; random: Random },
): SteppedProcess {
  const { isAlive, death, kill } = createLifetime(count);
  const at: SteppedProcess['at'] = async (label, actions) => {
    if (!isAlive()) await never();
    const action = await scheduler.step(`${name}: ${label}`, ['kill', ...actions]);
    if (action === 'kill') kill();
    if (!isAlive()) await never();
    return action;
  };
  return {
    name,
    random,
    at,
    isAlive,
    death,
    kill,
    now: clock.now,
    async wait(ms, signal) {
      await clock.wait(ms, signal);
      if (!isAlive()) await never();
    },
    async port(work) {
      await at('before a handler', []);
      const result = await work();
      await at('after a handler', []);
      return result;
    },
    disturbedUntilMs: () => 0,
    stalledMs: () => 0,
    disturb: () => {},
  };
}

/** The store as one process sees it, with a step before and after each call. */
export const steppedStore = (process: SteppedProcess, store: Store): Store =>
  wrapStore(store, (name, operation) => async (...args) => {
    if ((await process.at(`before ${name}`, ['fail'])) === 'fail')
      throw new Error('The connection to the store is lost.');
    const result = await operation(...args);
    if ((await process.at(`after ${name}`, ['lose'])) === 'lose')
      throw new Error('The connection to the store was lost before its response arrived.');
    return result;
  });
