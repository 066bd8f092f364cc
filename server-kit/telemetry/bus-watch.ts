import type { Bus } from '../buses/bus.ts';
import type { Log } from './log.ts';

/** Tells when the bus goes down or comes up, as far as whoever calls the result now and then can see. */
export function createBusWatch(bus: Bus, log: Log): () => void {
  let last = bus.state();
  return () => {
    const state = bus.state();
    if (state === last) return;
    last = state;
    log({ type: state === 'up' ? 'busUp' : 'busDown' });
  };
}
