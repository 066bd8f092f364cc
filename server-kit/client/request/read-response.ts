import { PaymentsError } from '../errors/payments-error.ts';
import { chunksOf, decodeText, type TextProblem } from '../http/decode-text.ts';
import type { PreparedRequest } from './prepare-request.ts';

type Limits = Pick<PreparedRequest, 'operation' | 'maxResponseBytes'>;

/**
 * Reads the text of a response, up to `maxResponseBytes`: an endless one would fill the memory until the timeout. An error
 * response that is larger or not UTF-8 still counts by its status, because a gateway's page may be anything: its text is
 * empty, or has replacement characters.
 *
 * @throws {PaymentsError} `invalid_response` for a success that is larger or not UTF-8; what `fetch` throws when the
 *   response breaks off
 */
export async function readResponseText(limits: Limits, response: Response): Promise<string> {
  const { operation, maxResponseBytes: maxBytes } = limits;
  const { body, headers, ok, status } = response;
  let isTooLarge = Number(headers.get('content-length')) > maxBytes;
  const toError = (problem: TextProblem): PaymentsError => {
    isTooLarge ||= problem === 'tooLarge';
    const fault = isTooLarge ? `larger than ${maxBytes} bytes` : 'not valid UTF-8';
    const message = `The response to ${operation} is ${fault}; check baseUrl.`;
    return new PaymentsError('invalid_response', message, { operation, status });
  };
  try {
    if (!isTooLarge) return await decodeText(chunksOf(body), { maxBytes, isStrict: ok, toError });
    cancelBody(response);
    throw toError('tooLarge');
  } catch (error) {
    if (isTooLarge && !ok) return '';
    throw error;
  }
}

/** Lets the service stop sending an unused body. */
export function cancelBody({ body }: Response): void {
  body?.cancel().catch(() => {});
}
