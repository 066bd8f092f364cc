import { connect } from 'node:net';
import { beforeEach, describe, expect, it } from 'vitest';
import { createPaymentsClient } from '../../../../server-kit/client/client.ts';
import { fetchToNodeListener } from '../../../../server-kit/http/node.ts';
import type { Sandbox } from '../../../../server-kit/tools/sandbox/index.ts';
import { type Served, serve } from '../../kit/serve.ts';
import { goodBody, newSandbox, read, startMs } from './sandbox-kit.ts';

describe('the sandbox served by node:http', () => {
  let sandbox: Sandbox;
  let served: Served;
  let baseUrl: string;

  beforeEach(async () => {
    sandbox = newSandbox({ basePath: '/service' });
    served = await serve(fetchToNodeListener(sandbox.fetch));
    baseUrl = `${served.url}/service`;
  });

  const client = () => createPaymentsClient({ baseUrl, apiSecret: 'sk_test_sandbox', now: () => startMs });
  const post = async (path: string, body: BodyInit) => {
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body };
    return read(await fetch(baseUrl + path, init));
  };

  it('takes a payment from initiation to succeeded, with its own clock in Date', async () => {
    const { payments } = client();
    const { accountNumber } = await payments.initiate(goodBody);
    const sent = await post('/_sandbox/transfers', JSON.stringify({ accountNumber, amount: 1_250_000 }));
    expect(sent.body.transfer.status).toBe('accepted');
    expect(sent.headers.get('date')).toBe('Fri, 02 Jan 2026 09:30:00 GMT');
    expect((await payments.verify('ord_1001')).status).toBe('succeeded');
  });

  it('responds with 413 to 1 MB and then serves requests on the open connections', async () => {
    let connections = 0;
    served.server.on('connection', () => connections++);
    for (let round = 0; round < 3; round++) {
      expect((await post('/_sandbox/transfers', ' '.repeat(1_000_000))).status).toBe(413);
      const reference = `ord_${round}`;
      expect((await client().payments.initiate({ ...goodBody, reference })).reference).toBe(reference);
    }
    expect(connections).toBeLessThan(6);
  });

  it('survives a client that disconnects in the middle of a body', async () => {
    await new Promise<void>((resolve) => {
      const socket = connect(served.port, '127.0.0.1', () => {
        const head =
          'POST /service/_sandbox/transfers HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n';
        socket.write(`${head}Content-Length: 500\r\n\r\n{"accountNumber":`, () => socket.destroy());
      });
      socket.on('close', () => resolve());
    });
    expect((await client().payments.initiate(goodBody)).reference).toBe('ord_1001');
  });

  it('treats an incomplete body as an error of the client', async () => {
    const socket = connect(served.port, '127.0.0.1', () => {
      const head = 'POST /service/v1/payments HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n';
      socket.write(`${head}Content-Length: 500\r\n\r\n{"reference":`);
    });
    await expect.poll(() => sandbox.control.listRequests()).toHaveLength(1);
    socket.destroy();
    await expect
      .poll(() => sandbox.control.listRequests()[0])
      .toMatchObject({ status: 400, error: { code: 'body_malformed' } });
  });
});
