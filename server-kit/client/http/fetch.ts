import { type ArrivingBodies, createArrivingBodies } from './arriving-bodies.ts';
import { chunksOf } from './decode-text.ts';
import type { PlainHandler, PlainRequest } from './plain-http.ts';
import { bodyOf, readUtf8 } from './read-body.ts';

/** A web-standard handler, which Bun, Deno, Workers, Next and Hono mount directly. */
export type FetchHandler = (request: Request) => Promise<Response>;

/** Adapts a plain handler to a fetch handler. */
export function toFetchHandler(handle: PlainHandler): FetchHandler {
  const bodies = createArrivingBodies();
  return async (request) => {
    const { status, headers, body } = await handle(fromFetchRequest(request, bodies));
    return new Response(body ?? null, { status, headers });
  };
}

function fromFetchRequest(request: Request, { hold }: ArrivingBodies): PlainRequest {
  return {
    method: request.method,
    url: new URL(request.url),
    header: (name) => request.headers.get(name) ?? undefined,
    headers: () => request.headers,
    readText: async (maxBytes, signal) =>
      readUtf8(hold(chunksOf(await bodyOf(request), signal), signal), maxBytes),
    signal: request.signal,
  };
}
