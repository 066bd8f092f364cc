import type { Bus } from './bus.ts';

type Listener = { onReference: (reference: string) => void; onGap: () => void };

/** The subscribers on this instance. */
export type Listeners = Pick<Bus, 'subscribe'> & {
  notify: (reference: string) => void;
  notifyGap: () => void;
  clear: () => void;
};

/** @param report receives what a listener throws; the other listeners are still called */
export function createListeners(report: (error: unknown) => void): Listeners {
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
  return {
    subscribe(onReference, onGap = () => {}) {
      const listener = { onReference, onGap };
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    notify: (reference) => callEach(({ onReference }) => onReference(reference)),
    notifyGap: () => callEach(({ onGap }) => onGap()),
    clear: () => listeners.clear(),
  };
}
