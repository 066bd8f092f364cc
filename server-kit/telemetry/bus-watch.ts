import type { Bus } from '../buses/bus.ts';
import type { Log } from './log.ts';

/** Creates a function that logs each change of the bus's state between two calls. */
export function createBusWatch(bus: Bus, log: Log): () => void {
  let last = bus.state();
  return () => {
    const state = bus.state();
    if (state === last) return;
    last = state;
    log({ type: state === 'up' ? 'busUp' : 'busDown' });
  };
}
