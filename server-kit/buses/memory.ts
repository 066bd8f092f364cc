import { createErrorReporter } from '../errors/report-error.ts';
import type { Bus, BusOptions } from './bus.ts';
import { createListeners } from './listeners.ts';

/** The bus of a server that is one process: everybody who shares this object hears each other, and nobody else. */
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
