import { afterOthers, type Limit } from '../../client/async/wait.ts';
import { type Client, createFairQueue } from './fair-queue.ts';

export type Turns = ReturnType<typeof createTurns>;

/** How many pieces of work start before the process turns to its other requests and connections. */
const startsInARow = 4;

/**
 * Runs at most `most` pieces of work at once; the others wait in a fair queue. Starts a few, then lets everything else run: Node
 * accepts one connection in each turn of its event loop, so that a new shopper would wait for as many long turns as there are
 * connections before.
 *
 * @param untilOthersRan resolves after everything else that is ready
 */
export function createTurns(most: number, untilOthersRan = afterOthers) {
  const waiting = createFairQueue<() => void>();
  let running = 0;
  let startedInARow = 0;

  const canStart = (): boolean => running < most && startedInARow < startsInARow;
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
      if (canStart()) noteStart();
      else await untilTurn(client, startLimit());
      try {
        return await work();
      } finally {
        running--;
        startWaiting();
      }
    },
  };
}
