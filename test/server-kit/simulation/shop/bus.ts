import type { Bus } from '../../../../server-kit/checkout/ports/bus.ts';
import type { SimulatedProcess } from '../world/process.ts';
import type { World } from '../world/settings.ts';

type Listener = { process: SimulatedProcess; onReference: (reference: string) => void };

/** Creates a bus between all instances that delays and drops messages. */
export function createSimulatedBus(world: World): (process: SimulatedProcess) => Bus {
  const listeners = new Set<Listener>();
  return (process) => ({
    async publish(reference) {
      for (const listener of listeners) {
        if (!listener.process.isAlive()) listeners.delete(listener);
        else if (process.random.chance(world.faults())) world.count('messages dropped by the bus');
        else
          world.clock.after(process.random.between(0, 400), () => {
            if (listener.process.isAlive() && listeners.has(listener)) listener.onReference(reference);
          });
      }
    },
    subscribe(onReference) {
      const listener = { process, onReference };
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    state: () => 'up',
    close: async () => {},
  });
}
