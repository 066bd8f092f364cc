import type { Store } from '../../../../server-kit/engine/store.ts';
import type { SimulatedProcess } from '../world/process.ts';
import type { World } from '../world/settings.ts';

/** The shared store as one process sees it: calls are slow, fail, or take effect but lose their response. */
export function storePort(world: World, process: SimulatedProcess, store: Store): Store {
  const faulty = <Operation extends (...args: never[]) => Promise<unknown>>(
    operation: Operation,
  ): Operation =>
    ((...args: Parameters<Operation>) =>
      process.port(async () => {
        const { random } = process;
        await pause(world, process);
        const fate = random.next() / (world.faults() || Number.NaN);
        if (fate < 0.5) {
          world.count('store calls failed');
          process.disturb(0);
          throw new Error('The connection to the store is lost.');
        }
        const result = await operation(...args);
        await pause(world, process);
        if (fate < 1) {
          world.count('store responses lost');
          process.disturb(0);
          throw new Error('The connection to the store was lost before its response arrived.');
        }
        return result;
      })) as Operation;

  return wrapStore(store, (_name, operation) => faulty(operation));
}

type AnyOperation = (...args: never[]) => Promise<unknown>;

/** Returns the store with every operation that the engine uses replaced. */
export function wrapStore(
  store: Store,
  wrap: (name: string, operation: AnyOperation) => AnyOperation,
): Store {
  const wrapAll = <T extends object>(part: T, prefix: string): T =>
    Object.fromEntries(
      Object.entries(part).map(([name, value]) => {
        if (['prepare', 'close', 'readStatus', 'subscribe'].includes(name)) return [name, value];
        if (typeof value === 'function') return [name, wrap(`${prefix}${name}`, value as AnyOperation)];
        return [name, typeof value === 'object' && value !== null ? wrapAll(value, `${name}.`) : value];
      }),
    ) as T;
  return wrapAll(store, '');
}

/** Usually does not wait at all, to save events; sometimes waits longer than a lease. */
async function pause({ clock, faults }: World, process: SimulatedProcess): Promise<void> {
  const { random } = process;
  const draw = random.next();
  if (draw < 0.2) await clock.wait(random.between(1, 60));
  else if (draw < 0.2 + faults() * 0.05) {
    const ms = random.between(1000, 12_000);
    process.disturb(ms);
    await clock.wait(ms);
  }
}
