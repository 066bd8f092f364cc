import type { Bus } from '../ports/bus.ts';
import type { Log } from './log.ts';

/** Returns the bus with a `publish` that never rejects, whatever the merchant's own bus does: nobody awaits it. */
export const logBusFailures = (bus: Bus, log: Log): Bus => ({
  async publish(reference) {
    try {
      await bus.publish(reference);
    } catch (error) {
      log({ type: 'busFailed', error });
    }
  },
  subscribe: (onReference, onGap) => bus.subscribe(onReference, onGap),
  state: () => bus.state(),
  close: () => bus.close(),
});

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
