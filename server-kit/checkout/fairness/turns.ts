import type { Limit } from '../../client/async/wait.ts';
import { type Client, createFairQueue } from './fair-queue.ts';

export type Turns = ReturnType<typeof createTurns>;

/** Runs at most `most` pieces of work at once. The others wait in a fair queue. */
export function createTurns(most: number) {
  const waiting = createFairQueue<() => void>();
  let running = 0;

  const untilTurn = (client: Client, { signal, end }: Limit): Promise<void> =>
    new Promise((resolve, reject) => {
      const leave = (): void => {
        waiting.remove(start);
        reject(signal.reason);
      };
      const start = (): void => {
        signal.removeEventListener('abort', leave);
        end();
        resolve();
      };
      if (signal.aborted) return reject(signal.reason);
      signal.addEventListener('abort', leave);
      waiting.put(start, client);
    });
  return {
    /**
     * Runs `work` in its turn. `startLimit` limits the wait for it, and is called only if there is one.
     *
     * @throws the reason of the limit, if it ends before that
     */
    async take<T>(client: Client, startLimit: () => Limit, work: () => Promise<T>): Promise<T> {
      if (running < most) running++;
      else await untilTurn(client, startLimit());
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
