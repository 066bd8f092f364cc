import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2';
import { type PlainHandler, type PlainRequest, readText } from './http.ts';

type NodeRequest = IncomingMessage | Http2ServerRequest;
type NodeResponse = ServerResponse | Http2ServerResponse;

export type CheckoutListener = (request: NodeRequest, response: NodeResponse) => void;

/** Serves routes with node:http or node:http2, or mounts them in Express or Connect, before any body parser. */
export function toNodeListener({ respond }: { respond: PlainHandler }): CheckoutListener {
  return async (request, response) => {
    try {
      const { status, headers, body } = await respond(toPlainRequest(request, response));
      // A middleware, such as a timeout, may have responded already.
      if (response.headersSent || response.destroyed) return;
      const length = body !== undefined && { 'content-length': Buffer.byteLength(body) };
      // HTTP/2's response has the same method, but TypeScript cannot call a union of overloads.
      (response as ServerResponse).writeHead(status, { ...headers, ...length }).end(body);
      // An unread rest of the body would block the connection.
      request.resume();
    } catch (error) {
      // A failed response ends this connection, never the process.
      response.destroy(error as Error);
    }
  };
}

/** Created once, because a default reason captures a stack each time. */
const clientHasGone = new Error('The client has gone.');

/** Returns a signal that aborts when the client disconnects. Of pipelined requests, only the first one's response notices that. */
export function abortWhenGone(request: NodeRequest, response: NodeResponse): AbortSignal {
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
    readText: (maxBytes) => readText(request.iterator({ destroyOnReturn: false }), maxBytes),
    // Most requests need none.
    get signal() {
      signal ??= abortWhenGone(request, response);
      return signal;
    },
  };
}

export function headersOf({ rawHeaders }: NodeRequest): Headers {
  const headers = new Headers();
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    // HTTP/2 has the request line in pseudo-headers such as `:method` (RFC 9113, section 8.3.1).
    if (!name.startsWith(':')) headers.append(name, rawHeaders[index + 1] ?? '');
  }
  return headers;
}

/** Returns the URL with the host and path as sent. A request target that is not a path, such as `//x` or `*`, becomes `/`. */
export function urlOf({ url, headers }: NodeRequest): URL {
  const origin = `http://${headers.host ?? headers[':authority'] ?? 'localhost'}`;
  // Anything beyond host and port would become part of the path, or credentials, which a Request refuses.
  const isHost = URL.canParse(origin) && new URL(origin).href === `${new URL(origin).origin}/`;
  return isHost
    ? new URL(new URL(origin).origin + (url?.startsWith('/') ? url : '/'))
    : new URL('http://localhost/');
}
