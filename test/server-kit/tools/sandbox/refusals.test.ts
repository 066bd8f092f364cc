import { describe, expect, it } from 'vitest';
import {
  call,
  expectRefusal,
  expectStillServing,
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
    expect((await call(sandbox, '/v1/payments', { body: goodBody, basePath: '/service' })).status).toBe(200);
    expectRefusal(await call(sandbox, '/v1/payments', { body: goodBody }), 404, 'route_not_found');
    const other = await call(sandbox, '/v1/payments', { body: goodBody, basePath: '/services' });
    expectRefusal(other, 404, 'route_not_found');
  });

  it('must have the time of the sandbox’s clock, which responses contain', async () => {
    const sandbox = newSandbox();
    sandbox.control.setClock({ advanceSeconds: 3600 });
    const late = await call(sandbox, '/v1/payments', { body: goodBody, timestamp: seconds(0) });
    expect([late.status, late.body.error.code]).toEqual([401, 'request_timestamp_out_of_tolerance']);
    expect(late.headers.get('date')).toBe('Fri, 02 Jan 2026 10:30:00 GMT');
    expect((await call(sandbox, '/v1/payments', { body: goodBody, timestamp: seconds(3600) })).status).toBe(
      200,
    );
  });
});

describe('routes', () => {
  it.each([
    '/',
    '/v1',
    '/v1/payment',
    '/v1/payments/',
    '/v1/payments/a/b/verify',
    '/v1/payments//verify',
    '/V1/payments/a',
    '/v1/payments/%FF',
  ])('has nothing at %s', async (path) =>
    expectRefusal(await call(newSandbox(), path), 404, 'route_not_found'),
  );

  it.each([
    ['PUT', '/v1/payments', 'POST, OPTIONS'],
    ['GET', '/v1/payments', 'POST, OPTIONS'],
    ['DELETE', '/v1/payments/pay_1', 'GET, HEAD, OPTIONS'],
    ['PATCH', '/v1/payments/checkout', 'POST, GET, HEAD, OPTIONS'],
    ['POST', '/v1/payments/pay_1/verify', 'GET, HEAD, OPTIONS'],
  ])('refuses %s %s with the allowed methods', async (method, path, allow) => {
    const response = await call(newSandbox(), path, { method });
    expectRefusal(response, 405, 'method_not_allowed');
    expect(response.headers.get('allow')).toBe(allow);
  });

  it('responds to OPTIONS with the methods and grants nothing to other origins', async () => {
    const response = await read(
      await newSandbox().fetch(`${origin}/v1/payments`, {
        method: 'OPTIONS',
        headers: { origin: 'https://evil.example', 'access-control-request-method': 'POST' },
      }),
    );
    expect([response.status, response.headers.get('allow'), response.body]).toEqual([
      204,
      'POST, OPTIONS',
      undefined,
    ]);
    expect(response.headers.get('access-control-allow-origin')).toBeNull();
  });
});

it('responds to HEAD as to GET, without the body', async () => {
  const sandbox = newSandbox();
  const { id } = await initiate(sandbox);
  const response = await call(sandbox, `/v1/payments/${id}`, { method: 'HEAD' });
  expect([response.status, response.body]).toEqual([200, undefined]);
});

describe('an unexpected error', () => {
  it('is a 500 with the envelope, and the next request succeeds', async () => {
    let broken = true;
    const sandbox = newSandbox({
      random: () => {
        if (broken) throw new Error('no entropy');
        return 0.5;
      },
    });
    const response = await call(sandbox, '/v1/payments', { body: goodBody });
    expectRefusal(response, 500, 'internal_error');
    expect(response.body.error).toMatchObject({
      type: 'api_error',
      message: expect.stringContaining('no entropy'),
    });
    broken = false;
    await expectStillServing(sandbox);
  });
});
