import { PaymentsError } from './errors.ts';
import { chunksOf } from './fetch.ts';

/** Far beyond a page of 100 records. An answer without an end would fill the memory until the timeout. */
const maxAnswerMegabytes = 10;

/**
 * The whole text of an answer. What is not UTF-8 is replaced, because the page of a gateway may be anything.
 *
 * @throws {PaymentsError} `invalid_response` as soon as more than 10 MB have come; what `fetch` throws when the answer breaks off
 */
export async function readAnswer(operation: string, { body, status }: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let size = 0;
  for await (const chunk of chunksOf(body)) {
    size += chunk.byteLength;
    if (size > maxAnswerMegabytes * 1_000_000) {
      const message = `The answer of ${operation} is larger than ${maxAnswerMegabytes} MB; check baseUrl.`;
      throw new PaymentsError('invalid_response', message, { operation, status });
    }
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}
