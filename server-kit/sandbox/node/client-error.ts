import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { answerError } from '../http/responses.ts';
import { SandboxError } from '../http/sandbox-error.ts';

/** What node:http found wrong before there was a request; anything else is a request that is not HTTP. */
const refusals: Readonly<Record<string, { status: number; message: string }>> = {
  HPE_HEADER_OVERFLOW: { status: 431, message: 'The headers are too large; send fewer or shorter ones.' },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, message: 'The request did not come in time; send it faster.' },
};
const malformed = { status: 400, message: 'The request is not HTTP as RFC 9112 has it; correct it.' };

/** Answers what is no request with the envelope of all refusals, and ends the connection. */
export function answerClientError(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const { status, message } = refusals[error.code ?? ''] ?? malformed;
  const refusal = new SandboxError('http_malformed', message, { status });
  const body = JSON.stringify(answerError(refusal).body);
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}
