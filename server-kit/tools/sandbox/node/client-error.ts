import { type IncomingMessage, type RequestListener, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { SandboxError } from '../errors/sandbox-error.ts';
import { toErrorResponse } from '../http/responses.ts';

/** Errors of node:http before there is a request. Any other error is `malformed`. */
const refusals: Readonly<Record<string, { status: number; message: string }>> = {
  HPE_HEADER_OVERFLOW: { status: 431, message: 'The headers are too large; send fewer or shorter ones.' },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, message: 'The request took too long; send it faster.' },
};
const malformed = { status: 400, message: 'The request is not valid HTTP (RFC 9112); correct it.' };

/** Responds to an invalid request with the error envelope and closes the connection. */
export function respondToClientError(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const { status, message } = refusals[error.code ?? ''] ?? malformed;
  const body = envelopeOf(status, message);
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}

/** Refuses an unknown `Expect` (RFC 9110, section 10.1.1), which node:http would do without the error envelope. */
export function respondToExpectation(_request: IncomingMessage, response: ServerResponse): void {
  refuse(response, 417, 'The header Expect may only be "100-continue"; leave it out.');
}

/** Refuses a request without `Host` (RFC 9112, section 3.2), which node:http would do without the error envelope. */
export const requireHost =
  (serve: RequestListener): RequestListener =>
  (request, response) => {
    const isMissing = request.httpVersion === '1.1' && request.headers.host === undefined;
    if (isMissing) refuse(response, 400, 'The header Host is missing; send it.');
    else serve(request, response);
  };

function refuse(response: ServerResponse, status: number, message: string): void {
  const headers = { 'content-type': 'application/json', connection: 'close' };
  response.writeHead(status, headers).end(envelopeOf(status, message));
}

const envelopeOf = (status: number, message: string): string =>
  JSON.stringify(toErrorResponse(new SandboxError('http_malformed', message, { status })).body);
