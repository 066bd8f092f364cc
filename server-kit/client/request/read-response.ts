import { PaymentsError } from '../../errors/payments-error.ts';
import { chunksOf } from '../../http/read-body.ts';
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
  const text = await readWithin(limits, response);
  if (text !== undefined) return text;
  if (!response.ok) return '';
  const { operation, maxResponseBytes } = limits;
  const message = `The response to ${operation} is larger than ${maxResponseBytes} bytes; check baseUrl.`;
  throw new PaymentsError('invalid_response', message, { operation, status: response.status });
}

/** Returns `undefined` for a response that is too large, and cancels the rest. */
async function readWithin(limits: Limits, response: Response): Promise<string | undefined> {
  const { body, headers } = response;
  const { maxResponseBytes } = limits;
  if (Number(headers.get('content-length')) > maxResponseBytes) {
    cancelBody(response);
    return undefined;
  }
  const decode = createDecoder(limits, response);
  let text = '';
  let size = 0;
  for await (const chunk of chunksOf(body)) {
    size += chunk.byteLength;
    if (size > maxResponseBytes) return undefined;
    text += decode(chunk);
  }
  return text + decode();
}

function createDecoder({ operation }: Limits, { ok, status }: Response): (chunk?: Uint8Array) => string {
  const decoder = new TextDecoder('utf-8', { fatal: ok });
  return (chunk) => {
    try {
      return decoder.decode(chunk, { stream: chunk !== undefined });
    } catch {
      const message = `The response to ${operation} is not valid UTF-8; check baseUrl.`;
      throw new PaymentsError('invalid_response', message, { operation, status });
    }
  };
}

/** Lets the service stop sending an unused body. */
export function cancelBody({ body }: Response): void {
  body?.cancel().catch(() => {});
}
