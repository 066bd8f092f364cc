import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2';
import { Readable } from 'node:stream';
import type { ReadableStream as NodeReadableStream } from 'node:stream/web';
import { type FetchHandler, type PlainHandler, type PlainRequest, readText } from './core/http.ts';

type NodeRequest = IncomingMessage | Http2ServerRequest;
type NodeResponse = ServerResponse | Http2ServerResponse;

export type CheckoutListener = (request: NodeRequest, response: NodeResponse) => void;

/** Serves routes with node:http or node:http2, or mounts them in Express or Connect, before any body parser. */
export function toNodeListener({ respond }: { respond: PlainHandler }): CheckoutListener {
  const hold = createHeldBodies();
  return async (request, response) => {
    try {
      const { status, headers, body } = await respond(toPlainRequest(request, response, hold));
      // A middleware, such as a timeout, may have responded already.
      if (response.headersSent || response.destroyed) return;
      const length = body !== undefined && { 'content-length': Buffer.byteLength(body) };
      // HTTP/2's response has the same method, but TypeScript cannot call a union of overloads.
      (response as ServerResponse).writeHead(status, { ...headers, ...length }).end(body);
      drainBody(request);
    } catch (error) {
      // A failed response ends this connection, never the process.
      response.destroy(error as Error);
    }
  };
}

/** More than all carts of a busy shop; a heap of 128 MB has room for its work beside them. */
const maxHeldBytes = 16 * 1024 * 1024;

/** Creates what yields the chunks of a body. Once the bodies that have not arrived hold more than 16 MB, the oldest are cut off. */
function createHeldBodies() {
  const held = new Map<NodeRequest, number>();
  let total = 0;
  const release = (request: NodeRequest): void => {
    total -= held.get(request) ?? 0;
    held.delete(request);
  };
  return async function* hold(request: NodeRequest): AsyncGenerator<Uint8Array> {
    held.set(request, 0);
    request.once('close', () => release(request));
    try {
      for await (const chunk of request.iterator({ destroyOnReturn: false })) {
        held.set(request, (held.get(request) ?? 0) + chunk.byteLength);
        total += chunk.byteLength;
        for (const [oldest] of held) {
          if (total <= maxHeldBytes) break;
          release(oldest);
          cutOff(oldest);
        }
        yield chunk;
      }
    } finally {
      release(request);
    }
  };
}

/** With HTTP/2 only the request's own stream ends; the other requests of the connection continue. */
const cutOff = (request: NodeRequest): void =>
  void ('stream' in request ? request.stream.close() : request.destroy());

/** How long the client may keep sending a body after the response, so that it reads the response. */
const drainMs = 5000;

/** Reads the rest of the body, which would block the connection, for a while. */
function drainBody(request: NodeRequest): void {
  request.resume();
  if (request.complete) return;
  const timer = setTimeout(() => cutOff(request), drainMs).unref();
  request.once('close', () => clearTimeout(timer));
}

/** Created once, because a default reason captures a stack each time. */
const clientHasGone = new Error('The client has gone.');

/** Returns a signal that aborts when the client disconnects. Of pipelined requests, only the first one's response notices that. */
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

function toPlainRequest(
  request: NodeRequest & { originalUrl?: unknown },
  response: NodeResponse,
  hold: ReturnType<typeof createHeldBodies>,
): PlainRequest {
  const { method = 'GET', url = '', originalUrl, headers, socket } = request;
  // Connect and Express keep the whole URL in `originalUrl`.
  const isMounted = typeof originalUrl === 'string' && originalUrl.endsWith(url);
  let signal: AbortSignal | undefined;
  return {
    method,
    url: urlOf(request),
    removedPath: isMounted ? originalUrl.slice(0, originalUrl.length - url.length) : undefined,
    remoteAddress: socket.remoteAddress,
    // An empty header is not a missing one: an empty `Origin` is not a page of the shop.
    header: (name) => (Array.isArray(headers[name]) ? headers[name].join(', ') : headers[name]),
    headers: () => headersOf(request),
    readText: (maxBytes) => readText(hold(request), maxBytes),
    // Most requests need none.
    get signal() {
      signal ??= abortWhenGone(request, response);
      return signal;
    },
  };
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

/** Returns the URL with the host and path as sent. A request target that is not a path, such as `//x` or `*`, becomes `/`. */
function urlOf({ url, headers }: NodeRequest): URL {
  const origin = `http://${headers.host ?? headers[':authority'] ?? 'localhost'}`;
  // Anything beyond host and port would become part of the path, or credentials, which a Request refuses.
  const isHost = URL.canParse(origin) && new URL(origin).href === `${new URL(origin).origin}/`;
  return isHost
    ? new URL(new URL(origin).origin + (url?.startsWith('/') ? url : '/'))
    : new URL('http://localhost/');
}

/** A request handler for node:http, Express and Connect. */
export type NodeListener = (request: IncomingMessage, response: ServerResponse) => void;

/** Serves a fetch handler with node:http. For a sandbox, `createSandboxListener` also checks the host name. */
export function fetchToNodeListener(handle: FetchHandler): NodeListener {
  return async (request, response) => {
    try {
      const fetchRequest = toFetchRequest(request, abortWhenGone(request, response));
      if (fetchRequest === undefined) return void response.writeHead(400).end();
      const fetched = await handle(fetchRequest);
      const body = new Uint8Array(await fetched.arrayBuffer());
      // A middleware, such as a timeout, may have responded already.
      if (response.headersSent || response.destroyed) return;
      response.statusCode = fetched.status;
      // Not `writeHead`, so that node:http sends the length of the body.
      response.setHeaders(fetched.headers).end(body);
      // The stream of an unread body would pause the request again and block its connection.
      request.removeAllListeners('data').resume();
    } catch (error) {
      // A failed response ends this connection, never the process.
      response.destroy(error as Error);
    }
  };
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
