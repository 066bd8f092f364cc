import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import type { ReadableStream as NodeReadableStream } from 'node:stream/web';
import { type Wait, waitWithTimer } from '../async/wait.ts';
import type { FetchHandler } from './fetch.ts';
import type { PlainHandler, PlainRequest, PlainResponse } from './plain-http.ts';
import { readUtf8 } from './read-body.ts';

type NodeRequest = IncomingMessage | Http2ServerRequest;
type NodeResponse = ServerResponse | Http2ServerResponse;

/** What node:http, Express and Connect call for each request. */
export type NodeListener = (request: IncomingMessage, response: ServerResponse) => void;
/** The same, and what node:http2 calls. */
export type CheckoutListener = (request: NodeRequest, response: NodeResponse) => void;

/**
 * Serves a checkout with node:http or node:http2, or mounts it in Express (`app.use('/checkout', toNodeListener(checkout))`).
 * Mount it before any body parser, or let the parser leave `/checkout` alone.
 */
export function toNodeListener(
  { respond }: { respond: PlainHandler },
  { wait = waitWithTimer }: { wait?: Wait } = {},
): CheckoutListener {
  return (request, response) => {
    const signal = abortWhenGone(request, response);
    respondWith(response, async () => {
      const { status, headers, body } = await respond(fromNodeRequest(request, signal));
      if (hasResponded(response)) return;
      writeResponse(response, status, headers, body);
      drainBody(request, wait);
    });
  };
}

/** The length is told, so that the answer is whole, and its connection free, with its last byte. */
function writeResponse(
  response: NodeResponse,
  status: number,
  headers: PlainResponse['headers'],
  body: string | undefined,
): void {
  const length = body !== undefined && { 'content-length': Buffer.byteLength(body) };
  // HTTP/2's response has the same method; TypeScript cannot call one of two overloads.
  (response as ServerResponse).writeHead(status, { ...headers, ...length }).end(body);
}

/** For so long the rest of a body that was answered already may come, so that the other side hears the answer. */
const drainTimeoutMs = 5000;

/** An unread rest would keep the connection from being used again. One that does not end is ended. */
function drainBody(request: NodeRequest, wait: Wait): void {
  request.resume();
  if (request.complete) return;
  const ended = new AbortController();
  request.once('close', () => ended.abort());
  wait(drainTimeoutMs, ended.signal, true).then(
    () => endRequest(request),
    () => {},
  );
}

/** Over HTTP/2 only its own stream ends; the other requests of the connection go on. */
function endRequest(request: NodeRequest): void {
  if ('stream' in request) request.stream.close();
  else request.destroy();
}

/** Serves a fetch handler, such as the sandbox's, with node:http. */
export function fetchToNodeListener(handle: FetchHandler): NodeListener {
  return (request, response) => {
    const signal = abortWhenGone(request, response);
    respondWith(response, async () => {
      const fetchRequest = toFetchRequest(request, signal);
      if (fetchRequest === undefined) return void response.writeHead(400).end();
      const fetched = await handle(fetchRequest);
      const body = new Uint8Array(await fetched.arrayBuffer());
      if (hasResponded(response)) return;
      response.statusCode = fetched.status;
      // Without `writeHead`: so node:http tells the length of the body.
      response.setHeaders(fetched.headers).end(body);
      // The stream of an unread body would pause the request again, and its connection could not be used again.
      request.removeAllListeners('data').resume();
    });
  };
}

/** Whatever fails in answering ends this connection, and never the process. */
function respondWith(response: NodeResponse, respond: () => Promise<void>): void {
  respond().catch((error: unknown) => response.destroy(error as Error));
}

/** A middleware, such as a time-out, may have answered while we waited. */
const hasResponded = (response: NodeResponse): boolean => response.headersSent || response.destroyed;

/**
 * The socket is watched too: of requests that wait behind each other on one connection, only the first has a response
 * that notices when the client goes.
 */
function abortWhenGone({ socket }: NodeRequest, response: NodeResponse): AbortSignal {
  const controller = new AbortController();
  const abort = (): void => {
    unwatch();
    controller.abort();
  };
  const unwatch = onceClosed(socket, abort);
  response.once('close', abort);
  return controller.signal;
}

type WatchedSocket = { callbacks: Set<() => void>; onClose: () => void };
const watchedSockets = new WeakMap<Socket, WatchedSocket>();

/** One listener for all requests of a connection: Node warns of more than ten, and a client may send as many at once. */
function onceClosed(socket: Socket, callback: () => void): () => void {
  const watched = watchedSockets.get(socket) ?? watchSocket(socket);
  watched.callbacks.add(callback);
  return () => {
    watched.callbacks.delete(callback);
    if (watched.callbacks.size > 0) return;
    socket.off('close', watched.onClose);
    watchedSockets.delete(socket);
  };
}

function watchSocket(socket: Socket): WatchedSocket {
  const callbacks = new Set<() => void>();
  const onClose = (): void => [...callbacks].forEach((callback) => void callback());
  const watched = { callbacks, onClose };
  watchedSockets.set(socket, watched);
  socket.once('close', onClose);
  return watched;
}

function fromNodeRequest(request: NodeRequest, signal: AbortSignal): PlainRequest {
  return {
    method: request.method ?? 'GET',
    url: urlOf(request),
    remoteAddress: request.socket.remoteAddress,
    header: (name) => headerOf(request, name),
    headers: () => headersOf(request),
    // Not destroyed where it is too large: what is left is read by `drainBody`, or would clog the connection.
    readText: (maxBytes) => readUtf8(request.iterator({ destroyOnReturn: false }), maxBytes),
    signal,
  };
}

/** `undefined` for what the Fetch standard has no request for, such as the method TRACE. */
function toFetchRequest(request: IncomingMessage, signal: AbortSignal): Request | undefined {
  const { method = 'GET' } = request;
  const hasBody = method !== 'GET' && method !== 'HEAD';
  const body = hasBody ? (Readable.toWeb(request) as NodeReadableStream as ReadableStream) : null;
  // `duplex` is required for a streamed body, and missing from the DOM's types.
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

/** Empty where it was sent empty, which is not the same as not at all: an empty `Origin` is no page of the shop. */
function headerOf({ headers }: NodeRequest, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value.join(', ') : value;
}

function headersOf({ rawHeaders }: NodeRequest): Headers {
  const headers = new Headers();
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    // HTTP/2 has the request line among them, as `:method` and the like (RFC 9113, section 8.3.1).
    if (!name.startsWith(':')) headers.append(name, rawHeaders[index + 1] ?? '');
  }
  return headers;
}

/** The path as sent, below the host as sent; a request line that is no path, such as `//x` or `*`, becomes `/`. */
function urlOf(request: NodeRequest): URL {
  const path = request.url?.startsWith('/') ? request.url : '/';
  try {
    const host = request.headers.host ?? request.headers[':authority'] ?? 'localhost';
    const { href, origin } = new URL(`http://${host}`);
    // More than host and port would become a part of the path, or credentials, which a Request refuses.
    if (href === `${origin}/`) return new URL(origin + path);
  } catch {
    // Not a host: as good as a path that does not exist.
  }
  return new URL('http://localhost/');
}
