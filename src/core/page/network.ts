import type { Environment } from './environment.ts';
import { follow } from './pause.ts';

/** What the device says of its network. A hint: nothing is left undone for it, and what waits may begin sooner. */
export type Network = {
  /** Begins to tell. Does nothing when it does already. */
  readonly observe: () => void;
  readonly stop: () => void;
  /** Does something that waits for the network; does it anew when the network is back and has cut it short. */
  readonly untilDone: <T>(signal: AbortSignal, act: (cut: AbortSignal) => Promise<T>) => Promise<T>;
};

/** `tell` hears at once of a device that is offline, and then of every change. */
export function createNetwork(
  environment: Environment,
  tell: (type: 'wentOffline' | 'cameOnline') => void,
): Network {
  let stop: (() => void) | undefined;
  let begin = (): void => {};
  return {
    observe() {
      if (stop) return;
      stop = environment.observe(['online', 'offline'], (type) => {
        if (type === 'offline') return tell('wentOffline');
        tell('cameOnline');
        begin();
      });
      if (environment.isOffline()) tell('wentOffline');
    },
    stop() {
      stop?.();
      stop = undefined;
    },
    async untilDone(signal, act) {
      for (;;) {
        const { controller, release } = follow(signal);
        begin = () => controller.abort();
        try {
          return await act(controller.signal);
        } catch (error) {
          if (signal.aborted || !controller.signal.aborted) throw error;
        } finally {
          release();
        }
      }
    },
  };
}
