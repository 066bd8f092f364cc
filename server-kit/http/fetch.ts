import type { PlainHandler, PlainRequest } from './plain-http.ts';
import { readUtf8 } from './read-body.ts';

/** A web-standard handler: what Bun, Deno, Workers, Next and Hono mount as it is. */
export type FetchHandler = (request: Request) => Promise<Response>;

/** Serves a plain handler as a fetch handler. */
export function toFetchHandler(handle: PlainHandler): FetchHandler {
  return async (request) => {
    const { status, headers, body } = await handle(fromFetchRequest(request));
    return new Response(body ?? null, { status, headers });
  };
}

function fromFetchRequest(request: Request): PlainRequest {
  return {
    method: request.method,
    url: new URL(request.url),
    header: (name) => request.headers.get(name) ?? undefined,
    headers: () => request.headers,
    readText: (maxBytes, signal) => readUtf8(chunksOf(request.body, signal), maxBytes),
    signal: request.signal,
  };
}

/** A reader loop, because not every runtime can iterate a ReadableStream. It ends when `signal` aborts. */
export async function* chunksOf(
  body: ReadableStream<Uint8Array> | null,
  signal?: AbortSignal,
): AsyncGenerator<Uint8Array> {
  if (body === null) return;
  const reader = body.getReader();
  signal?.addEventListener('abort', () => void reader.cancel().catch(() => {}), { once: true });
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) yield part.value;
  } finally {
    // Lets the other side stop sending what nobody will read.
    reader.cancel().catch(() => {});
  }
}
