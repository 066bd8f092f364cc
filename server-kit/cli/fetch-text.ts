import { abortAfter, raceAbort } from '../wait.ts';
import { CliError } from './cli-error.ts';
import type { Io } from './io.ts';

const timeoutSeconds = 10;

export type TextAnswer = { status: number; text: string; durationMs: number };

/**
 * Sends one request, and reads the whole answer within ten seconds. Redirects are not followed.
 *
 * @throws {CliError} `connection_lost` or `timeout`, saying of what address
 */
export async function fetchText(
  { fetch, wait, now, signal }: Io,
  url: string,
  init: RequestInit = {},
): Promise<TextAnswer> {
  const startedMs = now();
  const limit = abortAfter(wait, timeoutSeconds * 1000);
  const either = AbortSignal.any([signal, limit.signal]);
  const send = async (): Promise<TextAnswer> => {
    const response = await fetch(url, { ...init, redirect: 'manual', signal: either });
    const text = await response.text();
    return { status: response.status, text, durationMs: Math.max(0, Math.round(now() - startedMs)) };
  };
  try {
    return await raceAbort(send(), either);
  } catch (cause) {
    if (limit.signal.aborted) {
      throw new CliError('timeout', `${url} gave no whole answer within ${timeoutSeconds} seconds.`, {
        cause,
      });
    }
    const message = `${url} cannot be reached (${describeFailure(cause)}); check that it is up and that the address is right.`;
    throw new CliError('connection_lost', message, { cause });
  } finally {
    limit.cancel();
  }
}

/** A failed `fetch` says why in its cause, which for several addresses has a code and no message. */
function describeFailure(error: unknown): string {
  const { message, cause } = error as Error;
  if (!(cause instanceof Error)) return message;
  return cause.message || String((cause as { code?: unknown }).code ?? message);
}
