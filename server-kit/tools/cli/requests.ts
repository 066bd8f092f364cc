import * as v from 'valibot';
import { chunksOf } from '../../core/http.ts';
import { TimeoutError, within } from '../../core/time.ts';
import { describeFetchFailure } from '../../engine/telemetry/error-text.ts';
import { readEnvironment } from '../../serve/settings.ts';
import { readOperatorKey } from './secrets.ts';
import { CliError, type Io, readBaseUrl } from './terminal.ts';

type TextRequest = RequestInit & {
  /** Default: 10. */
  timeoutSeconds?: number;
  /** The longest part of the response that is read. Default: a megabyte. */
  maxBytes?: number;
};

export type TextResponse = { status: number; text: string; durationMs: number };

/** Sends one request and reads the response. Redirects are not followed. Throws `connection_lost` or `timeout`, with the URL */
export async function fetchText(
  { fetch, wait, now, signal }: Io,
  url: string,
  { timeoutSeconds = 10, maxBytes = 1_000_000, ...init }: TextRequest = {},
): Promise<TextResponse> {
  const startedMs = now();
  const send = async (limit: AbortSignal): Promise<TextResponse> => {
    const response = await fetch(url, { ...init, redirect: 'manual', signal: limit });
    const text = await readUpTo(maxBytes, response);
    return { status: response.status, text, durationMs: Math.max(0, Math.round(now() - startedMs)) };
  };
  try {
    return await within(wait, timeoutSeconds * 1000, send, signal);
  } catch (cause) {
    if (cause instanceof TimeoutError) {
      const message = `${url} did not respond completely within ${timeoutSeconds} seconds.`;
      throw new CliError('timeout', message, { cause });
    }
    const message = `${url} cannot be reached (${describeFetchFailure(cause)}); check that it is running and that the address is correct.`;
    throw new CliError('connection_lost', message, { cause });
  }
}

/** Replaces bytes that are not UTF-8, because a response can contain anything. */
async function readUpTo(maxBytes: number, { body }: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let left = maxBytes;
  for await (const chunk of body === null ? [] : chunksOf(body)) {
    text += decoder.decode(chunk.subarray(0, left), { stream: true });
    left -= chunk.byteLength;
    if (left <= 0) break;
  }
  return text + decoder.decode();
}

const mountedAt = 'where your checkout is mounted, such as https://shop.example/checkout';
const keyHelp = 'variable with the operatorKey, of the environment or a file .env, for --url';
/** The arguments of the options that name a mounted checkout and its key. */
export const urlOption = ['--url <url>', mountedAt, readBaseUrl] as const;
export const keyOption = ['--key-env <name>', keyHelp, 'OPERATOR_KEY'] as const;

type CheckoutRoute = Pick<TextRequest, 'timeoutSeconds' | 'body'> & {
  method: 'GET' | 'POST';
  url: string;
  keyEnv: string;
  /** Default: JSON. */
  accept?: string;
};

/** Calls a route of a mounted checkout that the operatorKey protects, and parses its response. */
export async function callCheckout<T>(
  route: CheckoutRoute,
  Schema: v.GenericSchema<unknown, T>,
  io: Io,
): Promise<T> {
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), Schema), await callRoute(route, io));
  if (parsed.success) return parsed.output;
  throw new CliError('not_a_checkout', `${route.url} did not respond like a checkout; check the address.`);
}

const Refusal = v.pipe(v.string(), v.parseJson(), v.object({ detail: v.string() }));

export async function callRoute(
  { url, keyEnv, accept = 'application/json', ...init }: CheckoutRoute,
  io: Io,
): Promise<string> {
  const authorization = `Bearer ${readOperatorKey(keyEnv, await readEnvironment(io.env, '.env'))}`;
  const headers = { authorization, accept, ...(init.body && { 'content-type': 'application/json' }) };
  const { status, text } = await fetchText(io, url, { ...init, headers });
  if (status === 401)
    throw new CliError('key_refused', `${url} refused the key in ${keyEnv}; it must be your operatorKey.`);
  if (status === 404) {
    const refusal = v.safeParse(Refusal, text);
    const message = refusal.success
      ? refusal.output.detail
      : `There is no route at ${url}; check the address, and set operatorKey in createCheckout.`;
    throw new CliError('not_found', message);
  }
  if (status !== 200 && status !== 204)
    throw new CliError('refused', `${url} responded with ${status}; see the log of your server.`);
  return text;
}
