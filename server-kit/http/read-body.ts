import { CheckoutError, isCheckoutError } from '../../src/contract/index.ts';

/**
 * Reads chunks of bytes as UTF-8 text.
 *
 * @throws {CheckoutError} `payload_too_large` as soon as more than `maxBytes` have arrived, `invalid_request` for invalid
 *   UTF-8 and for a body that breaks off
 */
export async function readUtf8(chunks: AsyncIterable<Uint8Array>, maxBytes: number): Promise<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let text = '';
  let size = 0;
  try {
    for await (const chunk of chunks) {
      size += chunk.byteLength;
      if (size > maxBytes)
        throw new CheckoutError('payload_too_large', `The body is larger than ${maxBytes} bytes.`);
      text += decode(decoder, chunk);
    }
  } catch (cause) {
    if (isCheckoutError(cause)) throw cause;
    throw new CheckoutError('invalid_request', 'The body ended early.', { cause });
  }
  return text + decode(decoder);
}

function decode(decoder: TextDecoder, chunk?: Uint8Array): string {
  try {
    return chunk === undefined ? decoder.decode() : decoder.decode(chunk, { stream: true });
  } catch (cause) {
    throw new CheckoutError('invalid_request', 'The body is not valid UTF-8.', { cause });
  }
}

/**
 * Iterates over a stream until it ends or `signal` aborts. Uses a reader, because not every runtime can iterate a
 * ReadableStream.
 */
export async function* chunksOf(
  body: ReadableStream<Uint8Array> | null,
  signal?: AbortSignal,
): AsyncGenerator<Uint8Array> {
  if (body === null) return;
  const reader = body.getReader();
  signal?.addEventListener('abort', () => void reader.cancel().catch(() => {}), { once: true });
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) yield part.value;
  } finally {
    // Lets the other side stop sending an unused body.
    reader.cancel().catch(() => {});
  }
}
