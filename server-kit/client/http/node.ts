import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2';
import { Readable } from 'node:stream';
import type { ReadableStream as NodeReadableStream } from 'node:stream/web';
import { type Wait, waitWithTimer } from '../async/wait.ts';
import { type ArrivingBodies, createArrivingBodies } from './arriving-bodies.ts';
import type { FetchHandler } from './fetch.ts';
import type { PlainHandler, PlainRequest, PlainResponse } from './plain-http.ts';
import { readUtf8 } from './read-body.ts';

type NodeRequest = IncomingMessage | Http2ServerRequest;
type NodeResponse = ServerResponse | Http2ServerResponse;

/** A request handler for node:http, Express and Connect. */
export type NodeListener = (request: IncomingMessage, response: ServerResponse) => void;
/** A request handler for node:http and node:http2. */
export type CheckoutListener = (request: NodeRequest, response: NodeResponse) => void;

/**
 * Serves a checkout with node:http or node:http2, or mounts it in Express (`app.use('/checkout',
 * toNodeListener(checkout))`). Mount it before any body parser, or exclude `/checkout` from the parser.
 */
export function toNodeListener(
  { respond }: { respond: PlainHandler },
  { wait = waitWithTimer }: { wait?: Wait } = {},
): CheckoutListener {
  const bodies = createArrivingBodies();
  return async (request, response) => {
    try {
      const { status, headers, body } = await respond(fromNodeRequest(request, response, bodies));
      if (hasResponded(response)) return;
      writeResponse(response, status, headers, body);
      drainBody(request, wait);
    } catch (error) {
      fail(response, error);
    }
  };
}

/** Sends the length, so that the response is complete, and its connection free, with the last byte. */
function writeResponse(
  response: NodeResponse,
  status: number,
  headers: PlainResponse['headers'],
  body: string | undefined,
): void {
  const length = body !== undefined && { 'content-length': Buffer.byteLength(body) };
  // HTTP/2's response has the same method, but TypeScript cannot call a union of overloads.
  (response as ServerResponse).writeHead(status, { ...headers, ...length }).end(body);
}

/** How long the client may keep sending a body after the response, so that it reads the response. */
const drainTimeoutMs = 5000;

/** Reads the rest of the body, because an unread rest would block the connection. Cuts off a body that takes too long. */
function drainBody(request: NodeRequest, wait: Wait): void {
  request.resume();
  if (request.complete) return;
  const ended = new AbortController();
  request.once('close', () => ended.abort(clientHasGone));
  wait(drainTimeoutMs, ended.signal, true).then(
    () => endRequest(request),
    () => {},
  );
}

/** With HTTP/2 closes only the request's own stream; the other requests of the connection continue. */
function endRequest(request: NodeRequest): void {
  if ('stream' in request) request.stream.close();
  else request.destroy();
}

/** Serves a fetch handler with node:http. For a sandbox, `createSandboxListener` also checks the host name. */
export function fetchToNodeListener(handle: FetchHandler): NodeListener {
  return async (request, response) => {
    try {
      const fetchRequest = toFetchRequest(request, abortWhenGone(request, response));
      if (fetchRequest === undefined) return void response.writeHead(400).end();
      const fetched = await handle(fetchRequest);
      const body = new Uint8Array(await fetched.arrayBuffer());
      if (hasResponded(response)) return;
      response.statusCode = fetched.status;
      // Not `writeHead`, so that node:http sends the length of the body.
      response.setHeaders(fetched.headers).end(body);
      // The stream of an unread body would pause the request again and block its connection.
      request.removeAllListeners('data').resume();
    } catch (error) {
      fail(response, error);
    }
  };
}

/** A failed response ends this connection, never the process. */
const fail = (response: NodeResponse, error: unknown): void => void response.destroy(error as Error);

/** A middleware, such as a timeout, may have responded already. */
const hasResponded = (response: NodeResponse): boolean => response.headersSent || response.destroyed;

/**
 * Returns a signal that aborts when the client disconnects before it has the response. Also watches the request, because of several
 * pipelined requests only the first one's response notices a disconnect.
 */
function abortWhenGone(request: NodeRequest, response: NodeResponse): AbortSignal {
  const controller = new AbortController();
  const abort = (): void => {
    if (!response.writableEnded) controller.abort(clientHasGone);
  };
  if (request.socket.destroyed || ('stream' in request && request.stream.destroyed)) abort();
  request.once('close', abort);
  response.once('close', abort);
  return controller.signal;
}

/** Created once, because a default reason captures a stack each time. */
const clientHasGone = new Error('The client has gone.');

function fromNodeRequest(
  request: NodeRequest,
  response: NodeResponse,
  { hold }: ArrivingBodies,
): PlainRequest {
  let signal: AbortSignal | undefined;
  return {
    method: request.method ?? 'GET',
    url: urlOf(request),
    removedPath: removedPathOf(request),
    remoteAddress: request.socket.remoteAddress,
    header: (name) => headerOf(request, name),
    headers: () => headersOf(request),
    // Not destroyed if it is too large: `drainBody` reads the rest, which would otherwise block the connection.
    readText: (maxBytes, signal) =>
      readUtf8(hold(request.iterator({ destroyOnReturn: false }), signal), maxBytes),
    // Most requests need none.
    get signal() {
      signal ??= abortWhenGone(request, response);
      return signal;
    },
  };
}

/** Connect and Express keep the whole URL in `originalUrl`. */
function removedPathOf(request: NodeRequest & { originalUrl?: unknown }): string | undefined {
  const { url = '', originalUrl } = request;
  const isKnown = typeof originalUrl === 'string' && originalUrl.endsWith(url);
  return isKnown ? originalUrl.slice(0, originalUrl.length - url.length) : undefined;
}

/** Returns `undefined` for requests that the Fetch standard does not have, such as the method TRACE. */
function toFetchRequest(request: IncomingMessage, signal: AbortSignal): Request | undefined {
  const { method = 'GET' } = request;
  const hasBody = method !== 'GET' && method !== 'HEAD';
  const body = hasBody ? (Readable.toWeb(request) as NodeReadableStream as ReadableStream) : null;
  // `duplex` is required for a streamed body, but missing from the DOM types.
  const init: RequestInit & { duplex: 'half' } = {
    method,
    headers: headersOf(request),
    body,
    signal,
    duplex: 'half',
  };
  try {
    return new Request(urlOf(request), init);
  } catch {
    return undefined;
  }
}

/** Returns an empty header as empty, not as missing: an empty `Origin` is not a page of the shop. */
function headerOf({ headers }: NodeRequest, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value.join(', ') : value;
}

function headersOf({ rawHeaders }: NodeRequest): Headers {
  const headers = new Headers();
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    // HTTP/2 has the request line in pseudo-headers such as `:method` (RFC 9113, section 8.3.1).
    if (!name.startsWith(':')) headers.append(name, rawHeaders[index + 1] ?? '');
  }
  return headers;
}

/**
 * Returns the URL with the host and path as sent. A request target that is not a path, such as `//x` or `*`, becomes `/`.
 */
function urlOf(request: NodeRequest): URL {
  const path = request.url?.startsWith('/') ? request.url : '/';
  try {
    const host = request.headers.host ?? request.headers[':authority'] ?? 'localhost';
    const { href, origin } = new URL(`http://${host}`);
    // Anything beyond host and port would become part of the path, or credentials, which a Request refuses.
    if (href === `${origin}/`) return new URL(origin + path);
  } catch {
    // Not a host: treated as a path that does not exist.
  }
  return new URL('http://localhost/');
}
