import { createErrorReporter } from '../../client/errors/report-error.ts';
import type { Bus, BusOptions } from './bus.ts';
import { createListeners } from './listeners.ts';

/** Creates a bus for a server with a single process: only subscribers on this object are notified. */
export function createMemoryBus({ onError }: Pick<BusOptions, 'onError'> = {}): Bus {
  const { subscribe, notify, clear } = createListeners(createErrorReporter(onError));
  let isClosed = false;
  return {
    subscribe,
    async publish(reference) {
      if (!isClosed) notify(reference);
    },
    state: () => (isClosed ? 'down' : 'up'),
    async close() {
      isClosed = true;
      clear();
    },
  };
}
