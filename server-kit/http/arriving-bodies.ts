import { CheckoutError } from '../../src/contract/index.ts';
import { joinSignals, type Limit, raceAbort } from '../client/async/wait.ts';

/** The bodies that have not arrived whole, the oldest first, and how many bytes of each are held. */
const arriving = new Map<Limit, number>();
let heldBytes = 0;

/** More than all carts of a busy shop; a heap of 128 MB has room for its work beside them. */
const mostBytes = 16 * 1024 * 1024;

/**
 * Yields the chunks of a body that is held until it has arrived whole. All bodies share the memory of the process: once they hold
 * more than 16 MB, the oldest make way, because those of shoppers arrive at once.
 *
 * @throws the reason of the signal, as soon as it aborts; {CheckoutError} `service_unavailable` for a body that makes way
 */
export async function* shareMemory(
  chunks: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const body = joinSignals(signal);
  const iterator = chunks[Symbol.asyncIterator]();
  arriving.set(body, 0);
  try {
    for (;;) {
      const next = await raceAbort(iterator.next(), body.signal);
      if (next.done) return;
      hold(body, next.value.byteLength);
      yield next.value;
    }
  } finally {
    release(body);
    body.end();
    // Not awaited: it waits for a chunk that may never come.
    iterator.return?.().catch(() => {});
  }
}

function hold(body: Limit, bytes: number): void {
  arriving.set(body, (arriving.get(body) ?? 0) + bytes);
  heldBytes += bytes;
  for (const [oldest] of arriving) {
    if (heldBytes <= mostBytes) return;
    release(oldest);
    const message = 'Too many bodies arrive at once; try again.';
    oldest.end(new CheckoutError('service_unavailable', message, { retryAfterSeconds: 3 }));
  }
}

function release(body: Limit): void {
  heldBytes -= arriving.get(body) ?? 0;
  arriving.delete(body);
}
