import { CheckoutError } from '../../../src/contract/index.ts';
import { afterOthers, noLongerNeeded, type Wait } from '../../client/async/wait.ts';
import { type Client, createFairQueue } from '../fairness/fair-queue.ts';

export type Turns = ReturnType<typeof createTurns>;

/** How many sessions are opened at once. Each is a request to the service, and ends within fifteen seconds. */
export const sessionsAtOnce = 128;

/** The browser retries after this. */
const turnWithinMs = 5000;

/** How many start before the process turns to its other requests and connections. */
const startsInARow = 4;

/**
 * Creates the turns in which sessions are opened, so that neither one client nor the service's queue delays the others. Starts a few,
 * then lets everything else run: Node accepts one connection in each turn of its event loop, so that a new shopper would wait for as many
 * long turns as there are connections before.
 *
 * @param untilOthersRan resolves after everything else that is ready
 */
export function createTurns(wait: Wait, untilOthersRan = afterOthers) {
  const waiting = createFairQueue<() => void>();
  let running = 0;
  let startedInARow = 0;

  const canStart = (): boolean => running < sessionsAtOnce && startedInARow < startsInARow;
  const noteStart = (): void => {
    running++;
    if (startedInARow++ > 0) return;
    untilOthersRan().then(() => {
      startedInARow = 0;
      startWaiting();
    });
  };
  const startWaiting = (): void => {
    while (canStart()) {
      const start = waiting.next();
      if (start === undefined) return;
      noteStart();
      start();
    }
  };
  const untilTurn = (client: Client): Promise<void> =>
    new Promise((resolve, reject) => {
      const started = new AbortController();
      const start = (): void => {
        resolve();
        started.abort(noLongerNeeded);
      };
      const giveUp = (): void => {
        waiting.remove(start);
        const message = 'Many payments are being opened; try again.';
        reject(new CheckoutError('service_unavailable', message, { retryAfterSeconds: 3 }));
      };
      waiting.put(start, client);
      wait(turnWithinMs, started.signal).then(giveUp, () => {});
    });
  return {
    /**
     * Runs `work` in its turn.
     *
     * @throws {CheckoutError} `service_unavailable` if its turn does not come in time; what `work` throws
     */
    async take<T>(client: Client, work: () => Promise<T>): Promise<T> {
      if (canStart()) noteStart();
      else await untilTurn(client);
      try {
        return await work();
      } finally {
        running--;
        startWaiting();
      }
    },
  };
}
