import { CheckoutError } from '../../../src/contract/index.ts';
import { abortAfter, raceAbort, type Wait } from '../../client/async/wait.ts';
import type { PlainRequest } from '../../http/plain-http.ts';

/** Many times the size of a cart or a callback. */
const maxBodyBytes = 64 * 1024;

/** A phone on a slow network sends a cart in a second; a slower client only occupies a connection. */
const bodyWithinMs = 15_000;

/**
 * Reads the whole body of a request.
 *
 * @throws {CheckoutError} `payload_too_large` above 64 kB, before reading if `Content-Length` says so; `invalid_request`
 *   for a body that is not UTF-8, breaks off, or does not arrive within 15 seconds
 */
export async function readBody(request: PlainRequest, wait: Wait): Promise<string> {
  if (Number(request.header('content-length')) > maxBodyBytes) {
    throw new CheckoutError('payload_too_large', `The body is larger than ${maxBodyBytes} bytes.`);
  }
  const { signal: over, end } = abortAfter(wait, bodyWithinMs);
  try {
    return await raceAbort(request.readText(maxBodyBytes, over), over);
  } catch (cause) {
    if (!over.aborted) throw cause;
    const message = `The body did not arrive within ${bodyWithinMs / 1000} seconds.`;
    throw new CheckoutError('invalid_request', message, { cause });
  } finally {
    end();
  }
}
