import type { Store } from '../../../../server-kit/stores/store.ts';
import type { SimulatedProcess } from '../world/process.ts';
import type { World } from '../world/settings.ts';

export const operations = [
  'insert',
  'update',
  'findByReference',
  'listByOrder',
  'wake',
  'claimDue',
  'claimOutboxEvent',
  'renewOutboxEvent',
  'finishOutboxEvent',
  'failOutboxEvent',
  'listDeadLetters',
  'retryDeadLetter',
  'updateBudget',
] as const;

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

  const port = { ...store };
  for (const name of operations) Object.assign(port, { [name]: faulty(store[name] as never) });
  if (store.transact !== undefined) port.transact = faulty(store.transact);
  return port;
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
