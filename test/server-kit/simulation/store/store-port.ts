import { referencesOf } from '../../../../server-kit/engine/order/record.ts';
import type { OnChange, Store } from '../../../../server-kit/engine/store.ts';
import { createMemoryStore } from '../../../../server-kit/stores/memory.ts';
import type { LedgerTransaction } from '../shop/ledger.ts';
import type { SimulatedProcess } from '../world/process.ts';
import type { World } from '../world/world.ts';

/** The store that all processes share: in memory, and in some waves with transactions. */
export function openSharedStore({ random, storeNow }: World): Store {
  const memory = createMemoryStore({ now: storeNow });
  return random.fork('transact').chance(0.25) ? withTransactions(memory) : memory;
}

/** Adds transactions to the memory store, which commit the merchant's ledger entries together with their event. */
function withTransactions(store: Store): Store {
  return {
    ...store,
    async transact(run, work) {
      const records: (() => void)[] = [];
      const transaction: LedgerTransaction = { add: (_key, record) => void records.push(record) };
      await work(transaction);
      const ended = await store.updateOutboxEvent(run, { state: 'done' });
      if (ended === undefined) return undefined;
      for (const record of records) record();
      return ended;
    },
  };
}

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

  const unharmed = ['prepare', 'close', 'readStatus', 'subscribe'];
  return Object.fromEntries(
    Object.entries(store).map(([name, part]) => [
      name,
      typeof part === 'function' && !unharmed.includes(name) ? faulty(part as () => Promise<unknown>) : part,
    ]),
  ) as Store;
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

type Listener = { process: SimulatedProcess; onChange: OnChange };

/** Creates notifications between the stores of all instances, of which some are late and some are lost. */
export function createNotifications(world: World): (process: SimulatedProcess, store: Store) => Store {
  const listeners = new Set<Listener>();
  const publish = (sender: SimulatedProcess, reference: string): void => {
    for (const listener of listeners) {
      const { process, onChange } = listener;
      if (!process.isAlive()) listeners.delete(listener);
      else if (process === sender) continue;
      else if (sender.random.chance(world.faults())) world.count('notifications lost');
      else
        world.clock.after(sender.random.between(0, 400), () => {
          if (process.isAlive() && listeners.has(listener)) onChange(reference);
        });
    }
  };
  return (process, store) => ({
    ...store,
    async write(change) {
      const isWritten = await store.write(change);
      if (isWritten) for (const reference of referencesOf(change.record)) publish(process, reference);
      return isWritten;
    },
    subscribe(onChange) {
      const listener = { process, onChange };
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  });
}
