import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { respondToClientError } from '../../../../../server-kit/tools/sandbox/node/client-error.ts';

const failure = (code: string): NodeJS.ErrnoException => Object.assign(new Error(code), { code });

describe('respondToClientError', () => {
  it('responds to a request that is not HTTP and closes the connection', () => {
    const socket = new PassThrough();
    respondToClientError(failure('HPE_INVALID_METHOD'), socket);
    expect(String(socket.read())).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n[\s\S]*"code":"http_malformed"/);
    expect(socket.writableEnded).toBe(true);
  });

  it('writes nothing to a client that has reset the connection', () => {
    const socket = new PassThrough();
    respondToClientError(failure('ECONNRESET'), socket);
    expect([socket.destroyed, socket.read()]).toEqual([true, null]);
  });

  it('writes nothing to a connection that was ended', () => {
    const socket = new PassThrough().end();
    respondToClientError(failure('HPE_INVALID_METHOD'), socket);
    expect(socket.destroyed).toBe(true);
  });
});
