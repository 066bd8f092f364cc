import { describe, expect, it } from 'vitest';
import { maxLoggedRequests } from '../../../../../server-kit/tools/sandbox/http/request-log.ts';
import {
  call,
  controlCall,
  goodBody,
  initiate,
  newSandbox,
  origin,
  startMs,
  verify,
} from '../sandbox-kit.ts';

describe('GET /_sandbox/requests', () => {
  it('records a request and its response', async () => {
    const sandbox = newSandbox({ basePath: '/service' });
    const { headers } = await call(sandbox, '/v1/payments', { body: goodBody, basePath: '/service' });
    const [entry] = sandbox.control.listRequests();
    expect(entry).toEqual({
      id: 'req_1',
      at: '2026-01-02T09:30:00.000Z',
      method: 'POST',
      path: '/service/v1/payments',
      query: '',
      operation: 'payments.initiate',
      status: 200,
      durationMs: 0,
      requestHeaders: {
        'content-type': 'application/json',
        'request-signature': expect.stringMatching(/^[0-9a-f]{128}$/),
        'request-timestamp': String(startMs / 1000),
      },
      requestBody: expect.stringContaining('"reference":"ord_1001"'),
      responseBody: expect.stringContaining('"accountNumber":"'),
      error: null,
      fault: null,
      signature: null,
    });
    expect(headers.get('date')).toBe('Fri, 02 Jan 2026 09:30:00 GMT');
  });

  it('returns the same list over HTTP, newest first, without its own request', async () => {
    const sandbox = newSandbox();
    await initiate(sandbox);
    await verify(sandbox);
    await controlCall(sandbox, '/_sandbox/payments');
    await controlCall(sandbox, '/_sandbox/payments/v1', { status: 'failed' });
    await controlCall(sandbox, '/_sandbox/requests');
    const { body } = await controlCall(sandbox, '/_sandbox/requests');
    expect(body).toEqual({ data: JSON.parse(JSON.stringify(sandbox.control.listRequests())) });
    expect(body.data).toMatchObject([{ operation: 'payments.verify' }, { operation: 'payments.initiate' }]);
  });

  it('redacts the access token, the API key, client secrets and cookies', async () => {
    const sandbox = newSandbox();
    await initiate(sandbox);
    const secrets = { cookie: 'a=secret', 'checkout-secret': 'cs_test_1' };
    const headers = { authorization: 'Bearer pk_test_sandbox', ...secrets };
    const { body } = await call(sandbox, '/v1/payments/ord_1001/verify', { headers });
    expect(body.accessToken).toMatch(/^tok_/);
    await call(sandbox, '/v1/payments/x/verify', { headers: { authorization: 'sk_test_sandbox' } });
    const [second, first] = sandbox.control.listRequests();
    expect(first?.requestHeaders).toMatchObject({ authorization: 'Bearer [redacted]', cookie: '[redacted]' });
    expect(second?.requestHeaders.authorization).toBe('[redacted]');
    expect(JSON.stringify([first, second])).not.toMatch(/tok_|pk_test|sk_test|cs_test|a=secret/);
  });

  it('keeps the last 500 requests and 10,000 characters of each body', async () => {
    const sandbox = newSandbox();
    for (let index = 0; index < maxLoggedRequests; index++) await sandbox.fetch(`${origin}/v1/${index}`);
    await initiate(sandbox, { metadata: { long: 'x'.repeat(30_000) } });
    const entries = sandbox.control.listRequests();
    expect(entries).toHaveLength(500);
    expect(entries.at(-1)?.path).toBe('/v1/1');
    expect([entries[0]?.requestBody?.length, entries[0]?.responseBody?.length]).toEqual([10_000, 10_000]);
  });

  it('shows a request before its response', async () => {
    const sandbox = newSandbox();
    const arriving = new TransformStream<Uint8Array, Uint8Array>();
    const init = { method: 'POST', body: arriving.readable, duplex: 'half' } as RequestInit;
    const response = sandbox.fetch(`${origin}/v1/payments`, init);
    const open = { status: null, durationMs: null, responseBody: null };
    expect(sandbox.control.listRequests()[0]).toMatchObject(open);
    await arriving.writable.close();
    await response;
    expect(sandbox.control.listRequests()[0]?.status).toBe(401);
  });

  it('measures durations by the machine’s clock and times by the sandbox’s', async () => {
    let nowMs = startMs;
    const sandbox = newSandbox({ now: () => nowMs++ });
    sandbox.control.setClock({ set: '2026-05-05T00:00:00.000Z', frozen: true });
    await sandbox.fetch(`${origin}/v1/none`);
    const [entry] = sandbox.control.listRequests();
    expect(entry?.at).toBe('2026-05-05T00:00:00.000Z');
    expect(entry?.durationMs).toBeGreaterThan(0);
  });
});
