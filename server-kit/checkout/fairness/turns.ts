import { type Client, createFairQueue } from './fair-queue.ts';

export type Turns = ReturnType<typeof createTurns>;

/** Creates turns at work of which at most `most` runs at once. What has to wait starts as the fair queue says. */
export function createTurns(most: number) {
  const waiting = createFairQueue<() => void>();
  let running = 0;

  const untilTurn = (client: Client, signal: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      const leave = (): void => {
        waiting.remove(start);
        reject(signal.reason);
      };
      const start = (): void => {
        signal.removeEventListener('abort', leave);
        resolve();
      };
      if (signal.aborted) return reject(signal.reason);
      signal.addEventListener('abort', leave);
      waiting.put(start, client);
    });
  return {
    /**
     * Runs `work` in its turn.
     *
     * @throws the reason of `signal`, if it aborts before that
     */
    async take<T>(client: Client, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
      if (running < most) running++;
      else await untilTurn(client, signal);
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
