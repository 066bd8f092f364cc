import type { PaymentView } from '../../src/contract/index.ts';
import {
  CheckoutError,
  checkoutErrorStatus,
  contractHeaders,
  problemMediaType,
} from '../../src/contract/index.ts';
import { sha256Hex } from './secrets.ts';
import { type Wait, within } from './time.ts';

/** HTTP as plain values, which adapters translate: a native Request and Response for each call would cost several times the call itself. */
export type PlainRequest = {
  method: string;
  /** The absolute URL as the server knows it. Only its path and host are used. */
  url: URL;
  /** The path that a framework has removed from `url` because the handler is mounted there, if it is known: `/pay`. */
  removedPath?: string | undefined;
  /** The address at the other end of the connection, if the runtime knows it; often a reverse proxy's. */
  remoteAddress?: string | undefined;
  /** Returns a header by its lower-case name. */
  header: (name: string) => string | undefined;
  /** Returns all headers, for the merchant's own code. */
  headers: () => Headers;
  /** Reads the whole body, until the signal aborts. */
  readText: (maxBytes: number, signal: AbortSignal) => ReturnType<typeof readText>;
  /** Aborts when the client disconnects before it has the response. May be created when it is first read: read it only to use it. */
  signal: AbortSignal;
};

/** The names of the headers are in lower case. */
export type PlainResponse = { status: number; headers: Record<string, string>; body: string | undefined };

/** An HTTP application in plain values. It never throws. */
export type PlainHandler = (request: PlainRequest) => Promise<PlainResponse>;

/** A web-standard handler, which Bun, Deno, Workers, Next and Hono mount directly. */
export type FetchHandler = (request: Request) => Promise<Response>;

export const fromRequest = (request: Request): PlainRequest => ({
  method: request.method,
  url: new URL(request.url),
  header: (name) => request.headers.get(name) ?? undefined,
  headers: () => request.headers,
  // Firefox, in a service worker, has no `Request.body`.
  readText: async (maxBytes, signal) =>
    readText(chunksOf(request.body ?? (await request.blob()).stream(), signal), maxBytes),
  signal: request.signal,
});

export const toFetchHandler =
  (handle: PlainHandler): FetchHandler =>
  async (request) => {
    const { status, headers, body } = await handle(fromRequest(request));
    return new Response(body ?? null, { status, headers });
  };

export async function* chunksOf(
  body: ReadableStream<Uint8Array>,
  signal?: AbortSignal,
): AsyncGenerator<Uint8Array, void> {
  const reader = body.getReader();
  signal?.addEventListener('abort', () => void reader.cancel().catch(() => {}), { once: true });
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) yield part.value;
  } finally {
    // Lets the other side stop sending an unused body.
    reader.cancel().catch(() => {});
  }
}

export async function readText(chunks: AsyncIterable<Uint8Array>, maxBytes: number) {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of chunks) {
    size += part.byteLength;
    if (size > maxBytes) return { problem: 'too large' } as const;
    parts.push(part);
  }
  try {
    return parts.map((part) => decoder.decode(part, { stream: true })).join('') + decoder.decode();
  } catch {
    return { problem: 'not UTF-8' } as const;
  }
}

/** Many times the size of a cart or a callback. A phone on a slow network sends one in a second. */
const [maxBodyBytes, bodyWithinMs] = [64 * 1024, 15_000];

export async function readBody(request: PlainRequest, wait: Wait): Promise<string> {
  const tooLarge = new CheckoutError('payload_too_large', `The body is larger than ${maxBodyBytes} bytes.`);
  if (Number(request.header('content-length')) > maxBodyBytes) throw tooLarge;
  const reading = (signal: AbortSignal) => request.readText(maxBodyBytes, signal);
  const text = await within(wait, bodyWithinMs, reading).catch((cause: unknown) => {
    const message = `The body ended early, or did not arrive within ${bodyWithinMs / 1000} seconds.`;
    throw new CheckoutError('invalid_request', message, { cause });
  });
  if (typeof text === 'string') return text;
  if (text.problem === 'too large') throw tooLarge;
  throw new CheckoutError('invalid_request', 'The body is not valid UTF-8.');
}

/** Reads a body of JSON. Another site can post a form without a preflight request, but not JSON (Fetch standard). */
export async function readJson(request: PlainRequest, wait: Wait): Promise<unknown> {
  const mediaType = request.header('content-type')?.split(';')[0]?.trim().toLowerCase();
  if (mediaType !== 'application/json')
    throw new CheckoutError('unsupported_media_type', 'Send JSON, with Content-Type: application/json.');
  const text = await readBody(request, wait);
  try {
    return JSON.parse(text);
  } catch {
    // Without the cause: a SyntaxError quotes the text, which may name the shopper.
    const hint = text === '' ? 'is empty; mount the checkout before any body parser' : 'is not JSON';
    throw new CheckoutError('invalid_request', `The body ${hint}.`);
  }
}

/** Returns one preference of the request (RFC 7240, section 2). */
export const preferOf = ({ header }: PlainRequest, name: string, value: string): string | undefined => {
  const pattern = new RegExp(`(?:^|,)\\s*${name}\\s*=\\s*"?(${value})"?\\s*(?:[,;]|$)`, 'i');
  return pattern.exec(header('prefer') ?? '')?.[1]?.toLowerCase();
};

/** Returns the last two segments of a path, the last one first, as they are encoded. */
export function lastSegments({ pathname }: URL): [string, string | undefined] {
  const [last = '', beforeLast] = pathname.replace(/\/$/, '').split('/').reverse();
  return [last, beforeLast];
}

export function decodeSegment(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // No payment has such a reference.
    return text;
  }
}

/** The headers that a page reads and that are not CORS-safelisted. */
export const exposeHeaders = {
  'access-control-expose-headers': `ETag, Retry-After, Preference-Applied, ${contractHeaders.serviceTime}, ${contractHeaders.nextPoll}`,
};

/** Returns a response that no cache may keep, and whose type no client may guess. */
export const respond = (
  status: number,
  body?: object,
  headers: Record<string, string> = {},
): PlainResponse => ({
  status,
  headers: {
    'cache-control': 'private, no-store',
    'x-content-type-options': 'nosniff',
    ...(body && { 'content-type': 'application/json' }),
    ...headers,
  },
  body: body && JSON.stringify(body),
});

/** Returns an error as a response (RFC 9457), without its cause. */
export function toProblem({ code, message: detail, retryAfterSeconds }: CheckoutError): PlainResponse {
  const status = checkoutErrorStatus[code] ?? 500;
  // RFC 9110, section 11.6.1: a 401 names the accepted scheme.
  const scheme = code === 'callback_unauthorized' ? 'Request-Signature' : 'Bearer';
  const headers = {
    'content-type': problemMediaType,
    ...(retryAfterSeconds !== undefined && { 'retry-after': String(retryAfterSeconds) }),
    ...(status === 401 && { 'www-authenticate': scheme }),
  };
  return respond(status, { status, code, detail }, headers);
}

/** Returns a strong ETag over the whole view (RFC 9110, section 8.8.3): it ignores time, and is the same on every instance. */
export const etagOf = async (view: PaymentView): Promise<string> =>
  `"${(await sha256Hex(JSON.stringify(view))).slice(0, 32)}"`;

/** Whether an `If-None-Match` names this ETag, or `*`. Only the hash counts: proxies that compress add `W/`, `-gzip` or `;br`. */
export const matchesEtag = (ifNoneMatch: string | undefined, etag: string): boolean =>
  ifNoneMatch !== undefined && (ifNoneMatch.trim() === '*' || ifNoneMatch.includes(etag.slice(1, -1)));
