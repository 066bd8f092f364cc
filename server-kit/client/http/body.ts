import { CheckoutError } from '../../../src/contract/index.ts';
import { abortAfter, raceAbort, type Wait } from '../async/wait.ts';
import type { PlainRequest } from './plain-http.ts';

/** Many times the size of a cart or a callback. */
const maxBodyBytes = 64 * 1024;

/** A phone on a slow network sends a cart in a second; a slower client only occupies a connection. */
const bodyWithinMs = 15_000;

/**
 * Reads the whole body of a request.
 *
 * @throws {CheckoutError} `payload_too_large` above 64 kB, before reading if `Content-Length` says so; `invalid_request`
 *   for a body that is not UTF-8, breaks off, or does not arrive within 15 seconds; `service_unavailable` for one that makes
 *   way for others
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

/**
 * Reads a body of JSON. Another site can post a form without a preflight request, but not JSON (Fetch standard).
 *
 * @throws {CheckoutError} `unsupported_media_type`, `invalid_request`; and as `readBody` does
 */
export async function readJson(request: PlainRequest, wait: Wait): Promise<unknown> {
  const mediaType = request.header('content-type')?.split(';')[0]?.trim().toLowerCase();
  if (mediaType !== 'application/json') {
    throw new CheckoutError('unsupported_media_type', 'Send JSON, with Content-Type: application/json.');
  }
  const text = await readBody(request, wait);
  try {
    return JSON.parse(text);
  } catch {
    // Without the cause: a SyntaxError quotes the text, which may name the shopper.
    const hint = text === '' ? 'is empty; mount the checkout before any body parser' : 'is not JSON';
    throw new CheckoutError('invalid_request', `The body ${hint}.`);
  }
}
