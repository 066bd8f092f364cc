import * as v from 'valibot';
import { type Bus, BusOptions } from '../../checkout/ports/bus.ts';
import { createErrorReporter } from '../../client/errors/report-error.ts';
import { parseOptions } from '../../client/options/parse-options.ts';

const MemoryBusOptions = v.pick(BusOptions, ['onError']);
export type MemoryBusOptions = v.InferInput<typeof MemoryBusOptions>;

/**
 * Creates a bus for a server with a single process: only subscribers on this object are notified.
 *
 * @throws {CheckoutError} `invalid_options`, naming each invalid option
 */
export function createMemoryBus(options: MemoryBusOptions = {}): Bus {
  const { onError } = parseOptions(MemoryBusOptions, options, 'createMemoryBus');
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

type Listener = { onReference: (reference: string) => void; onGap: () => void };

/**
 * Creates the subscribers on this instance.
 *
 * @param report receives what a listener throws; the other listeners are still called
 */
export function createListeners(report: (error: unknown) => void) {
  const listeners = new Set<Listener>();
  const callEach = (call: (listener: Listener) => void): void => {
    for (const listener of listeners) {
      try {
        call(listener);
      } catch (error) {
        report(error);
      }
    }
  };
  const subscribe: Bus['subscribe'] = (onReference, onGap = () => {}) => {
    const listener = { onReference, onGap };
    listeners.add(listener);
    return () => void listeners.delete(listener);
  };
  return {
    subscribe,
    notify: (reference: string) => callEach(({ onReference }) => onReference(reference)),
    notifyGap: () => callEach(({ onGap }) => onGap()),
    clear: () => listeners.clear(),
  };
}
