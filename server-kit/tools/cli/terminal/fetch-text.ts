import { abortAfter, raceAbort } from '../../../client/async/wait.ts';
import { chunksOf } from '../../../client/http/decode-text.ts';
import { describeFetchFailure } from '../../../client/http/fetch-result.ts';
import { CliError } from './cli-error.ts';
import type { Io } from './io.ts';

const defaultTimeoutSeconds = 10;

export type TextResponse = { status: number; text: string; durationMs: number };

/**
 * Sends one request and reads the response within `timeoutSeconds` (default: 10). Redirects are not followed.
 *
 * @param maxBytes the longest part of the response that is read
 * @throws {CliError} `connection_lost` or `timeout`, with the URL
 */
export async function fetchText(
  { fetch, wait, now, signal }: Io,
  url: string,
  maxBytes: number,
  { timeoutSeconds = defaultTimeoutSeconds, ...init }: RequestInit & { timeoutSeconds?: number } = {},
): Promise<TextResponse> {
  const startedMs = now();
  const limit = abortAfter(wait, timeoutSeconds * 1000, signal);
  const send = async (): Promise<TextResponse> => {
    const response = await fetch(url, { ...init, redirect: 'manual', signal: limit.signal });
    const text = await readUpTo(maxBytes, response);
    return { status: response.status, text, durationMs: Math.max(0, Math.round(now() - startedMs)) };
  };
  try {
    return await raceAbort(send(), limit.signal);
  } catch (cause) {
    if (limit.signal.aborted && !signal.aborted) {
      throw new CliError('timeout', `${url} did not respond completely within ${timeoutSeconds} seconds.`, {
        cause,
      });
    }
    const message = `${url} cannot be reached (${describeFetchFailure(cause)}); check that it is running and that the address is correct.`;
    throw new CliError('connection_lost', message, { cause });
  } finally {
    limit.end();
  }
}

/** Replaces bytes that are not UTF-8, because a response can contain anything. */
async function readUpTo(maxBytes: number, { body }: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let left = maxBytes;
  for await (const chunk of chunksOf(body)) {
    text += decoder.decode(chunk.subarray(0, left), { stream: true });
    left -= chunk.byteLength;
    if (left <= 0) break;
  }
  return text + decoder.decode();
}
