import { request as httpRequest } from 'node:http';
import { describe, expect, it } from 'vitest';
import { fetchToNodeListener } from '../../../../../server-kit/node.ts';
import type { FaultInput } from '../../../../../server-kit/tools/sandbox/index.ts';
import { settle } from '../../../../settle.ts';
import { open, watchProcess } from '../../../kit/raw-connection.ts';
import { serve } from '../../../kit/serve.ts';
import { withFault } from './fault-kit.ts';

describe('a fault over node:http', () => {
  async function serveFault(input: Partial<FaultInput>) {
    const seen = watchProcess();
    const sandbox = withFault(input);
    const { port, url } = await serve(fetchToNodeListener(sandbox.fetch));
    return { seen, sandbox, port, url: `${url}/v1/payments` };
  }

  it('cuts the connection: reset', async () => {
    const { seen, url } = await serveFault({ status: 'reset' });
    const code = await new Promise((resolve) => {
      httpRequest(url, { method: 'POST' })
        .on('response', () => resolve('responded'))
        .on('error', ({ code: reason }: NodeJS.ErrnoException) => resolve(reason))
        .end('{}');
    });
    expect(code).toBe('ECONNRESET');
    expect((await fetch(url, { method: 'POST', body: '{}' })).status).toBe(401);
    expect(seen).toEqual([]);
  });

  it('sends no response, and the server survives the client’s disconnect: timeout', async () => {
    const { seen, sandbox, port, url } = await serveFault({ status: 'timeout' });
    const { socket, send, received } = open(port);
    send('POST /v1/payments HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n{}');
    while (sandbox.control.listFaults().length > 0) await settle();
    await settle();
    expect(received()).toBe('');
    socket.destroy();
    await settle();
    expect((await fetch(url, { method: 'POST', body: '{}' })).status).toBe(401);
    expect(seen).toEqual([]);
  });
});
