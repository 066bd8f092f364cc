import { splitCredentials } from '../../../client/http/url-credentials.ts';
import { signedHeaders } from '../signing/signed-message.ts';
import { fetchText, type TextResponse } from '../terminal/fetch-text.ts';
import type { Io } from '../terminal/io.ts';

/** A callback with the headers for its body. */
export type SignedCallback = { body: string; signature: string; timestamp: string };

/** More than anybody reads; receivers usually send an empty response. */
const maxResponseBytes = 1_000_000;

/**
 * Sends a callback and returns up to 1 MB of the response.
 *
 * @throws {CliError} without a response
 */
export const postCallback = (
  io: Io,
  url: string,
  { body, signature, timestamp }: SignedCallback,
): Promise<TextResponse> => {
  const target = splitCredentials(url);
  return fetchText(io, target.url, maxResponseBytes, {
    method: 'POST',
    headers: { ...target.headers, ...signedHeaders(signature, timestamp) },
    body,
  });
};
