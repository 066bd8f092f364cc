import type { Environment } from './environment.ts';
import { linkAbort } from './wait.ts';

/** The device's view of its network. Only a hint: requests are sent anyway, and pending waits end when it is back. */
export type Network = {
  /** Starts to notify. Does nothing when started. */
  readonly observe: () => void;
  readonly stop: () => void;
  /** Runs an operation, and runs it again when the network comes back and has aborted it. */
  readonly retryOnline: <T>(signal: AbortSignal, run: (signal: AbortSignal) => Promise<T>) => Promise<T>;
};

/** Creates the network observer. `notify` is called at once where the device is offline, and for every change. */
export function createNetwork(
  environment: Environment,
  notify: (type: 'wentOffline' | 'cameOnline') => void,
): Network {
  let stop: (() => void) | undefined;
  let restart = (): void => {};
  return {
    observe() {
      if (stop) return;
      stop = environment.observe(['online', 'offline'], (type) => {
        if (type === 'offline') return notify('wentOffline');
        // First, because the listener may start a request.
        restart();
        notify('cameOnline');
      });
      if (environment.isOffline()) notify('wentOffline');
    },
    stop() {
      stop?.();
      stop = undefined;
    },
    async retryOnline(signal, run) {
      for (;;) {
        const { controller, release } = linkAbort(signal);
        restart = () => controller.abort();
        try {
          return await run(controller.signal);
        } catch (error) {
          if (signal.aborted || !controller.signal.aborted) throw error;
        } finally {
          release();
        }
      }
    },
  };
}
