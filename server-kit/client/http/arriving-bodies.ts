import { CheckoutError } from '../../../src/contract/index.ts';
import { joinSignals, type Limit, raceAbort } from '../async/wait.ts';

/** More than all carts of a busy shop; a heap of 128 MB has room for its work beside them. */
const mostBytes = 16 * 1024 * 1024;

export type ArrivingBodies = {
  /**
   * Yields the chunks of a body that is held until it has arrived whole.
   *
   * @throws the reason of the signal, as soon as it aborts; {CheckoutError} `service_unavailable` for a body that is dropped
   */
  readonly hold: (chunks: AsyncIterable<Uint8Array>, signal: AbortSignal) => AsyncIterable<Uint8Array>;
};

/** Creates a limit for the bodies of one handler: once they hold more than 16 MB, the oldest are dropped. Those of shoppers arrive at once. */
export function createArrivingBodies(): ArrivingBodies {
  /** How many bytes of each are held; the oldest comes first. */
  const bodies = new Map<Limit, number>();
  let total = 0;

  const release = (body: Limit): void => {
    total -= bodies.get(body) ?? 0;
    bodies.delete(body);
  };
  const add = (body: Limit, bytes: number): void => {
    bodies.set(body, (bodies.get(body) ?? 0) + bytes);
    total += bytes;
    for (const [oldest] of bodies) {
      if (total <= mostBytes) return;
      release(oldest);
      const message = 'Too many bodies arrive at once; try again.';
      oldest.end(new CheckoutError('service_unavailable', message, { retryAfterSeconds: 3 }));
    }
  };
  return {
    async *hold(chunks, signal) {
      const body = joinSignals(signal);
      const iterator = chunks[Symbol.asyncIterator]();
      bodies.set(body, 0);
      try {
        for (;;) {
          const next = await raceAbort(iterator.next(), body.signal);
          if (next.done) return;
          add(body, next.value.byteLength);
          yield next.value;
        }
      } finally {
        release(body);
        body.end();
        // Not awaited: it waits for a chunk that may never come.
        iterator.return?.().catch(() => {});
      }
    },
  };
}
