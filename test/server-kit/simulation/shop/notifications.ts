import { referencesOf } from '../../../../server-kit/engine/order/record.ts';
import type { OnChange, Store } from '../../../../server-kit/engine/store.ts';
import type { SimulatedProcess } from '../world/process.ts';
import type { World } from '../world/settings.ts';

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
