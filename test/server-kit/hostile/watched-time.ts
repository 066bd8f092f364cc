import { onTestFinished } from 'vitest';
import type { TestClock } from '../kit/test-clock.ts';

const turn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

/** The number of idle turns of the event loop before the clock advances. */
const quietTurns = 5;

/** `fetch` over real HTTP, which counts what is under way and what is read. */
export function watchFetch() {
  let underWay = 0;
  let bytesRead = 0;
  const during = async <T>(work: Promise<T>): Promise<T> => {
    underWay++;
    return work.finally(() => underWay--);
  };
  const watchBody = (body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> => {
    const reader = body.getReader();
    return new ReadableStream(
      {
        async pull(controller) {
          const { done, value } = await during(reader.read());
          bytesRead += value?.byteLength ?? 0;
          if (done) controller.close();
          else controller.enqueue(value);
        },
        cancel: (reason) => reader.cancel(reason),
      },
      { highWaterMark: 0 },
    );
  };
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const response = await during(globalThis.fetch(input, init));
    const { ok, status, headers, body } = response;
    return { ok, status, headers, body: body && watchBody(body) } as Response;
  };
  return { fetch, underWay: () => underWay, bytesRead: () => bytesRead };
}

/** Counts signatures and hashes that are under way: they are made on other threads, and need no timer. */
function watchCrypto(): () => number {
  const { subtle } = crypto;
  let underWay = 0;
  for (const name of ['importKey', 'sign', 'verify', 'digest'] as const) {
    const original = subtle[name].bind(subtle) as (...input: unknown[]) => Promise<unknown>;
    const watched = (...input: unknown[]) => {
      underWay++;
      return original(...input).finally(() => underWay--);
    };
    Object.defineProperty(subtle, name, { value: watched, configurable: true, writable: true });
    onTestFinished(() => void Reflect.deleteProperty(subtle, name));
  }
  return () => underWay;
}

export type WatchedTimeOptions = {
  clock: TestClock;
  /** Calls to the service that have not ended. */
  callsUnderWay: () => number;
  /** Those of them that wait for the clock, or for the client to go. */
  callsWaiting: () => number;
};

/** Simulated time that stands still while anything is under way, and jumps to the next timer when nothing is. */
export function createWatchedTime({ clock, callsUnderWay, callsWaiting }: WatchedTimeOptions) {
  const cryptoUnderWay = watchCrypto();
  const quiet = async (isOver: () => boolean): Promise<void> => {
    for (let turns = 0; turns < quietTurns && !isOver(); turns++) {
      await turn();
      if (callsUnderWay() !== callsWaiting() || cryptoUnderWay() > 0) turns = -1;
    }
  };
  return {
    /**
     * Waits for `work`, in simulated time.
     *
     * @throws {Error} where it has not ended after `mostMs` of it
     */
    async within<T>(mostMs: number, work: Promise<T>): Promise<{ result: T; tookMs: number }> {
      const startMs = clock.now();
      let isOver = false;
      const end = (): void => {
        isOver = true;
      };
      work.then(end, end);
      for (;;) {
        await quiet(() => isOver);
        if (isOver) return { result: await work, tookMs: clock.now() - startMs };
        const nextMs = clock.nextDueMs();
        if (nextMs > startMs + mostMs) throw new Error(`It has not ended after ${mostMs} ms.`);
        clock.advance(nextMs - clock.now());
      }
    },
  };
}
