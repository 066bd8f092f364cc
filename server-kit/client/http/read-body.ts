import { CheckoutError, isCheckoutError } from '../../../src/contract/index.ts';
import { decodeText, type TextProblem } from './decode-text.ts';

/**
 * Reads the body of a request as UTF-8 text.
 *
 * @throws {CheckoutError} `payload_too_large` as soon as more than `maxBytes` have arrived, `invalid_request` for invalid
 *   UTF-8 and for a body that breaks off
 */
export async function readUtf8(chunks: AsyncIterable<Uint8Array>, maxBytes: number): Promise<string> {
  const toError = (problem: TextProblem, cause?: unknown): CheckoutError =>
    problem === 'tooLarge'
      ? new CheckoutError('payload_too_large', `The body is larger than ${maxBytes} bytes.`)
      : new CheckoutError('invalid_request', 'The body is not valid UTF-8.', { cause });
  try {
    return await decodeText(chunks, { maxBytes, isStrict: true, toError });
  } catch (cause) {
    if (isCheckoutError(cause)) throw cause;
    throw new CheckoutError('invalid_request', 'The body ended early.', { cause });
  }
}

/** Returns a request's body. Firefox, in a service worker, has no `Request.body`, so that it is received as a whole. */
export async function bodyOf(request: Request): Promise<ReadableStream<Uint8Array> | null> {
  return request.body === undefined ? (await request.blob()).stream() : request.body;
}
