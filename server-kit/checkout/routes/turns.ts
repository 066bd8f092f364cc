import { CheckoutError } from '../../../src/contract/index.ts';
import { noLongerNeeded, type Wait } from '../../client/async/wait.ts';
import { type Client, createFairQueue } from '../fairness/fair-queue.ts';

export type Turns = ReturnType<typeof createTurns>;

/** How many sessions are opened at once. Each is a request to the service, and ends within ten seconds. */
export const sessionsAtOnce = 128;

/** The browser retries after this. */
const turnWithinMs = 5000;

/** Creates the turns in which sessions are opened, so that neither one client nor the service's queue delays the others. */
export function createTurns(wait: Wait) {
  const waiting = createFairQueue<() => void>();
  let running = 0;

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
      if (running < sessionsAtOnce) running++;
      else await untilTurn(client);
      try {
        return await work();
      } finally {
        // The place goes straight to the next.
        const start = waiting.next();
        if (start === undefined) running--;
        else start();
      }
    },
  };
}
