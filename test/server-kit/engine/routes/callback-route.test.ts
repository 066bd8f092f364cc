import { describe, expect, it } from 'vitest';
import { callbackUrl, createNotifiedShop } from '../../kit/notified-shop.ts';
import { storedPayment } from '../../kit/payment-facts.ts';
import { down } from '../../kit/wire-faults.ts';
import { createWiredShop } from '../../kit/wired-shop.ts';

describe('a callback', () => {
  it('is not evidence: what it says about money is ignored', async () => {
    const { open, notified, callBack, store } = createNotifiedShop();
    const { reference } = await open();
    const claim = { reference, status: 'succeeded', chargedAmount: 1_250_000, expectedAmount: 1_250_000 };
    expect((await callBack(claim)).status).toBe(204);
    expect(notified).toEqual([]);
    expect(await storedPayment(store, reference)).toMatchObject({ outcome: 'pending' });
  });

  it('makes one call for an id alone, because the service sends it again', async () => {
    const { callBack, wire } = createNotifiedShop();
    wire.intercept = down;
    expect((await callBack({ id: 'pay_1', expectedAmount: 1 })).status).toBe(503);
    expect(wire.calls).toEqual(['/v1/payments/pay_1']);
  });

  it('goes to the address that the options say, whatever Host a browser names', async () => {
    const { checkout, sandbox } = createWiredShop({ basePath: '/shop/pay/' });
    const body = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' };
    await checkout.handler(new Request('https://evil.example/checkout/sessions', body));
    expect(sandbox.control.listPayments()).toMatchObject([
      { callbackUrl: 'https://shop.example/shop/pay/callbacks' },
    ]);
  });
});

describe('a callback that the service has not signed', () => {
  it.each([
    ['a wrong signature', { 'request-signature': 'ab'.repeat(64) }],
    ['no signature', { 'request-signature': '' }],
    ['an old timestamp', { 'request-timestamp': '1600000000' }],
  ])('gets 401 with %s, and nothing is looked up', async (_name, headers) => {
    const { open, callBack, wire, events } = createNotifiedShop();
    const { reference } = await open();
    wire.calls.length = 0;
    const response = await callBack({ reference, expectedAmount: 1 }, { headers });
    expect([response.status, response.headers.get('www-authenticate')]).toEqual([401, 'Request-Signature']);
    expect(response.headers.get('content-type')).toBe('application/problem+json');
    expect(await response.json()).toMatchObject({ code: 'callback_unauthorized' });
    expect([wire.calls, events()]).toEqual([[], []]);
  });

  it.each<[string, string | null, number]>([
    ...['', '{', '[]', '{"data":1}', '{"data":{},"data":{}}'].map((body): [string, string, number] => [
      'POST',
      body,
      401,
    ]),
    ['POST', 'x'.repeat(65_537), 413],
    ['GET', null, 405],
  ])('gets $2 for %s $1', async (method, body, status) => {
    const { checkout } = createNotifiedShop();
    const headers = { 'request-signature': 'ab'.repeat(64), 'request-timestamp': '1772366400' };
    const response = await checkout.handler(new Request(callbackUrl, { method, headers, body }));
    expect([response.status, response.headers.get('allow')]).toEqual([
      status,
      status === 405 ? 'POST' : null,
    ]);
  });
});
