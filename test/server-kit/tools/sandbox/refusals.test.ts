import { describe, expect, it } from 'vitest';
import { individual } from '../../kit/account-requests.ts';
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

  it('must have the time of the sandbox’s clock, which responses contain', async () => {
    const sandbox = newSandbox();
    sandbox.control.setClock({ advanceSeconds: 3600 });
    const ask = (offset: number) =>
      call(sandbox, '/v1/payments', { body: goodBody, timestamp: seconds(offset) });
    const { status, headers } = await ask(0);
    expect([status, headers.get('date')]).toEqual([401, 'Fri, 02 Jan 2026 10:30:00 GMT']);
    expect((await ask(3600)).status).toBe(200);
  });
});

describe('a body that breaks the rules', () => {
  it.each<[string, object, string[]]>([
    ['two faults', { amount: { value: 0, currency: 'NGN' }, reference: '' }, ['amount.value', 'reference']],
    ['an amount that is a list', { amount: [1] }, ['amount.0', 'amount.currency', 'amount.value']],
    ['an expiry past every date', { expiresIn: 9e15 }, ['expiresIn']],
  ])('is refused with 422: %s', async (_name, change, params) => {
    const sandbox = newSandbox();
    const response = await call(sandbox, '/v1/payments', { body: { ...goodBody, ...change } });
    expectRefusal(response, 422, 'validation_failed', params);
    expect(response.body.error.type).toBe('invalid_request_error');
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

  it.each(['', '/services'])('have nothing outside the base path: %j', async (basePath) => {
    const response = await call(newSandbox({ basePath: '/service' }), '/v1/payments', { basePath });
    expectRefusal(response, 404, 'route_not_found');
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

const [payments, accounts] = ['/v1/payments', '/v1/dedicated_accounts'];
const { kycProfile } = individual;
const withProfile = (change: object) => ({ ...individual, kycProfile: { ...kycProfile, ...change } });
const [bvn, nin] = [
  { type: 'bvn', number: '22222222222' },
  { type: 'nin', number: '33333333333' },
];

it.each<[string, string, object, string[]]>([
  ['three at the top', payments, { ...goodBody, a: 1, b: { c: 2 }, d: null }, ['a']],
  [
    'in several objects',
    payments,
    { ...goodBody, customer: { name: 'Ada', phone: '1' }, amount: { ...goodBody.amount, unit: 1 }, x: 1 },
    ['amount.unit', 'customer.phone', 'x'],
  ],
  ['in an object of a variant', accounts, withProfile({ shoeSize: 40 }), ['kycProfile.shoeSize']],
  [
    'in every item of a list',
    accounts,
    withProfile({ identities: [bvn, nin].map((one) => ({ ...one, x: [1] })) }),
    ['kycProfile.identities.0.x', 'kycProfile.identities.1.x'],
  ],
])('unknown fields are ignored by a lenient sandbox, and named by any other: %s', async (...row) => {
  const [, path, body, params] = row;
  expect((await call(newSandbox({ lenient: true }), path, { body })).status).toBe(200);
  const response = await call(newSandbox(), path, { body });
  expectRefusal(response, 422, 'validation_failed', params);
  expect(response.body.error.message).toContain('is not a known field');
});

it('unknown fields are ignored in the query of an endpoint that is not a list', async () => {
  const response = await call(newSandbox({ lenient: true }), '/v1/payments/none?expand=customer');
  expectRefusal(response, 404, 'payment_not_found');
});

it.each<[string, string, object, string[]]>([
  [
    'in the same object as an unknown one',
    payments,
    { ...goodBody, note: 1, amount: { value: 0, currency: 'EUR', unit: 1 } },
    ['amount.currency', 'amount.value'],
  ],
  ['that is missing', payments, { note: 1 }, ['amount', 'paymentMethod', 'reference']],
  [
    'in an item with unknown ones',
    accounts,
    { ...withProfile({ identities: [bvn, { type: 'x', y: 1 }] }), x: 1 },
    ['kycProfile.identities.1.number', 'kycProfile.identities.1.type'],
  ],
])('a lenient sandbox still refuses an invalid field: %s', async (_name, path, body, params) => {
  const response = await call(newSandbox({ lenient: true }), path, { body });
  expectRefusal(response, 422, 'validation_failed', params);
  expect(response.body.error.message).not.toContain('is not a known field');
});
