import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { serve } from './serve.ts';

export type SeenRequest = { method: string; url: string; headers: IncomingMessage['headers']; body: string };
/** The server's clock, unless a response says otherwise: 2026-03-01T12:00:00Z. */
export const serverNow = Date.UTC(2026, 2, 1, 12);

type Responder = (request: SeenRequest, response: ServerResponse) => void;

/**
 * Starts an HTTP server that uses the responders one after the other, and then the last one again. It closes with the test.
 */
export async function startFaultServer(
  responders: readonly Responder[],
): Promise<{ url: string; seen: SeenRequest[] }> {
  const seen: SeenRequest[] = [];
  const { url } = await serve(async (request, response) => {
    const body = await text(request).catch(() => undefined);
    // The client disconnected before the body was complete.
    if (body === undefined) return;
    const one = { method: request.method ?? '', url: request.url ?? '', headers: request.headers, body };
    seen.push(one);
    response.setHeader('date', new Date(serverNow).toUTCString());
    const respond = responders[Math.min(seen.length, responders.length) - 1];
    respond?.(one, response);
  });
  return { url, seen };
}

export const respondJson =
  (status: number, body: unknown, headers: Record<string, string> = {}): Responder =>
  (_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  };

export const respondError = (
  status: number,
  type: string,
  code: string,
  headers: Record<string, string> = {},
): Responder =>
  respondJson(status, { error: { type, code, message: `it said ${code}`, params: ['reference'] } }, headers);

export const dropConnection: Responder = (_request, response) => {
  response.socket?.destroy();
};

/** Sends the headers and a part of the body, and then nothing more. */
export const stallInBody: Responder = (_request, response) => {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.write('{"id":');
};
