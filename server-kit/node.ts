import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type { ReadableStream as NodeReadableStream } from 'node:stream/web';
import type { FetchHandler } from './fetch.ts';
import type { PlainHandler, PlainRequest } from './plain-http.ts';
import { readUtf8 } from './read-body.ts';

/** What node:http, Express and Connect call for each request. */
export type NodeListener = (request: IncomingMessage, response: ServerResponse) => void;

/**
 * Serves a checkout with node:http, or mounts it in Express (`app.use('/checkout', toNodeListener(checkout))`).
 * Mount it before any body parser, or let the parser leave `/checkout` alone.
 */
export function toNodeListener({ respond }: { respond: PlainHandler }): NodeListener {
  return (request, response) => {
    const signal = abortWhenGone(response);
    respond(fromNodeRequest(request, signal)).then(
      ({ status, headers, body }) => {
        response.writeHead(status, headers).end(body);
        // An unread rest of a refused body would keep the connection from being used again.
        request.resume();
      },
      (error: unknown) => response.destroy(error as Error),
    );
  };
}

/** Serves a fetch handler, such as the sandbox's, with node:http. */
export function fetchToNodeListener(handle: FetchHandler): NodeListener {
  return (request, response) => {
    const signal = abortWhenGone(response);
    handle(toFetchRequest(request, signal)).then(
      async (answer) => {
        response.writeHead(answer.status, Object.fromEntries(answer.headers));
        response.end(new Uint8Array(await answer.arrayBuffer()));
        request.resume();
      },
      (error: unknown) => response.destroy(error as Error),
    );
  };
}

function abortWhenGone(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  response.once('close', () => controller.abort());
  return controller.signal;
}

function fromNodeRequest(request: IncomingMessage, signal: AbortSignal): PlainRequest {
  return {
    method: request.method ?? 'GET',
    url: urlOf(request),
    header: (name) => [request.headers[name]].flat().join(', ') || undefined,
    headers: () => headersOf(request),
    readText: (maxBytes) => readUtf8(request, maxBytes),
    signal,
  };
}

function toFetchRequest(request: IncomingMessage, signal: AbortSignal): Request {
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
  return new Request(urlOf(request), init);
}

function headersOf(request: IncomingMessage): Headers {
  const headers = new Headers();
  for (let index = 0; index < request.rawHeaders.length; index += 2) {
    headers.append(request.rawHeaders[index] ?? '', request.rawHeaders[index + 1] ?? '');
  }
  return headers;
}

/** The path as sent, below the host as sent; a request line that is no path, such as `//x` or `*`, becomes `/`. */
function urlOf(request: IncomingMessage): URL {
  const host = `http://${request.headers.host ?? 'localhost'}`;
  const path = request.url?.startsWith('/') ? request.url : '/';
  try {
    return new URL(host + path);
  } catch {
    return new URL('http://localhost/');
  }
}
