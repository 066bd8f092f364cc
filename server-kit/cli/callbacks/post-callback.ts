import { signedHeaders } from '../signing/signed-message.ts';
import { fetchText, type TextAnswer } from '../terminal/fetch-text.ts';
import type { Io } from '../terminal/io.ts';

/** A callback as it is sent: the body is what was signed. */
export type SignedCallback = { body: string; signature: string; timestamp: string };

/** Far more of an answer than anybody reads: a receiver says no more than that it has taken it. */
const maxAnswerBytes = 1_000_000;

/**
 * Sends it, and gives the answer, of which no more than a megabyte is read.
 *
 * @throws {CliError} where no answer came
 */
export const postCallback = (
  io: Io,
  url: string,
  { body, signature, timestamp }: SignedCallback,
): Promise<TextAnswer> =>
  fetchText(io, url, maxAnswerBytes, {
    method: 'POST',
    headers: signedHeaders(signature, timestamp),
    body,
  });
