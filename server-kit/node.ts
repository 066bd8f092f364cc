import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type { ReadableStream as NodeReadableStream } from 'node:stream/web';
import type { FetchHandler } from './core/http.ts';
import { abortWhenGone, headersOf, urlOf } from './core/node.ts';

export { type CheckoutListener, toNodeListener } from './core/node.ts';

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
