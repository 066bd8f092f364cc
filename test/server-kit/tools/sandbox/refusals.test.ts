import { describe, expect, it } from 'vitest';
import {
  call,
  expectRefusal,
  goodBody,
  initiate,
  newSandbox,
  origin,
  read,
  type SignedCall,
  startMs,
} from './sandbox-kit.ts';

const seconds = (offset: number): string => String(startMs / 1000 + offset);

describe('a request that is authentic', () => {
  it.each<[string, SignedCall]>([
    ['the API key', { headers: { authorization: 'Bearer pk_test_sandbox' } }],
    ['a scheme in lower case', { headers: { authorization: 'bearer pk_test_sandbox' } }],
    ['a timestamp 299 s old', { timestamp: seconds(-299) }],
    ['a timestamp 299 s ahead', { timestamp: seconds(299) }],
    ['a charset', { headers: { 'content-type': 'Application/JSON; charset=utf-8' } }],
    [
      'keys in another order',
      { sentText: JSON.stringify(Object.fromEntries(Object.entries(goodBody).reverse())) },
    ],
  ])('is accepted with %s', async (_name, options) => {
    const response = await call(newSandbox(), '/v1/payments', { body: goodBody, ...options });
    expect(response.status).toBe(200);
  });

  it('is signed from /v1, with any base path', async () => {
    const sandbox = newSandbox({ basePath: '/service' });
    const callAt = (basePath: string) => call(sandbox, '/v1/payments', { body: goodBody, basePath });
    expect((await callAt('/service')).status).toBe(200);
    for (const basePath of ['', '/services']) expectRefusal(await callAt(basePath), 404, 'route_not_found');
  });

  it('must have the time of the sandbox’s clock, which responses contain', async () => {
    const sandbox = newSandbox();
    sandbox.control.setClock({ advanceSeconds: 3600 });
    const late = await call(sandbox, '/v1/payments', { body: goodBody, timestamp: seconds(0) });
    expect([late.status, late.body.error.code]).toEqual([401, 'request_timestamp_out_of_tolerance']);
    expect(late.headers.get('date')).toBe('Fri, 02 Jan 2026 10:30:00 GMT');
    const onTime = await call(sandbox, '/v1/payments', { body: goodBody, timestamp: seconds(3600) });
    expect(onTime.status).toBe(200);
  });
});

describe('a body that breaks the rules', () => {
  it.each<[string, object, string[]]>([
    ['two faults', { amount: { value: 0, currency: 'NGN' }, reference: '' }, ['reference', 'amount.value']],
    ['an amount that is a list', { amount: [1] }, ['amount.0', 'amount.currency', 'amount.value']],
    ['an expiry past every date', { expiresIn: 9e15 }, ['expiresIn']],
  ])('is refused with 422: %s', async (_name, change, params) => {
    const sandbox = newSandbox();
    const response = await call(sandbox, '/v1/payments', { body: { ...goodBody, ...change } });
    expectRefusal(response, 422, 'validation_failed');
    expect(response.body.error.type).toBe('invalid_request_error');
    expect(response.body.error.params.sort()).toEqual(params.sort());
    expect(sandbox.control.listPayments()).toEqual([]);
  });

  it('is not read past the limit', async () => {
    let chunks = 0;
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        chunks++;
        controller.enqueue(new Uint8Array(100_000));
      },
    });
    const init = { method: 'POST', body: endless, duplex: 'half' } as RequestInit;
    const response = await read(await newSandbox().fetch(`${origin}/v1/payments`, init));
    expectRefusal(response, 413, 'body_too_large');
    expect(chunks).toBeLessThan(15);
  });
});

describe('routes', () => {
  it.each([
    ...['/', '/v1', '/v1/payment', '/v1/payments/', '/v1/payments/a/b/verify', '/v1/payments//verify'],
    ...['/V1/payments/a', '/v1/payments/%FF'],
  ])('have nothing at %s', async (path) =>
    expectRefusal(await call(newSandbox(), path), 404, 'route_not_found'),
  );

  it.each([
    ['PUT', '/v1/payments', 'POST, OPTIONS'],
    ['DELETE', '/v1/payments/pay_1', 'GET, HEAD, OPTIONS'],
    ['PATCH', '/v1/payments/checkout', 'POST, GET, HEAD, OPTIONS'],
  ])('refuse %s %s with the allowed methods', async (method, path, allow) => {
    const response = await call(newSandbox(), path, { method });
    expectRefusal(response, 405, 'method_not_allowed');
    expect(response.headers.get('allow')).toBe(allow);
  });

  it('respond to OPTIONS with the methods and grant nothing to other origins', async () => {
    const headers = { origin: 'https://evil.example', 'access-control-request-method': 'POST' };
    const response = await newSandbox().fetch(`${origin}/v1/payments`, { method: 'OPTIONS', headers });
    expect([response.status, await response.text()]).toEqual([204, '']);
    expect(response.headers.get('allow')).toBe('POST, OPTIONS');
    expect(response.headers.get('access-control-allow-origin')).toBeNull();
  });

  it('respond to HEAD as to GET, without the body', async () => {
    const sandbox = newSandbox();
    const { id } = await initiate(sandbox);
    const response = await call(sandbox, `/v1/payments/${id}`, { method: 'HEAD' });
    expect([response.status, response.body]).toEqual([200, undefined]);
  });
});

it('an unexpected error is a 500 with the envelope, and the next request succeeds', async () => {
  let broken = true;
  const sandbox = newSandbox({
    random: () => {
      if (broken) throw new Error('no entropy');
      return 0.5;
    },
  });
  const response = await call(sandbox, '/v1/payments', { body: goodBody });
  expectRefusal(response, 500, 'internal_error');
  expect(response.body.error.type).toBe('api_error');
  expect(response.body.error.message).toContain('no entropy');
  broken = false;
  expect((await initiate(sandbox)).reference).toBe('ord_1001');
});
