import { describe, expect, it } from 'vitest';
import { parseOrder } from '../../../../server-kit/engine/order/request.ts';
import { price } from './orders.ts';

const order = { orderId: 'order-1', amount: price };

/** The order that `change` makes of an order, and the fields that were left out. */
function parse(change: object) {
  const ignored: string[] = [];
  const parsed = parseOrder({ ...order, ...change }, 'getOrder', ({ field }) => ignored.push(field));
  return { parsed, ignored };
}

describe('an order', () => {
  it('expires after half an hour unless it says otherwise', () => {
    expect(parse({})).toEqual({ parsed: { ...order, expiresInSeconds: 1800 }, ignored: [] });
  });

  it.each([
    { orderId: 'Kọ́lá 👩‍👧' },
    { orderId: 'x'.repeat(200) },
    { expiresInSeconds: 60 },
    { qrText: 'x'.repeat(331) },
    { expiresInSeconds: 2_592_000 },
  ])('may have %j', (change) => {
    expect(parse(change)).toMatchObject({ parsed: change, ignored: [] });
  });

  it.each([
    [{ orderId: '' }, /orderId/],
    [{ orderId: 'x'.repeat(201) }, /orderId/],
    [{ orderId: 'a\u0000' }, /orderId: must be text without control characters/],
    [{ orderId: '\ud800' }, /orderId: must be text without control characters/],
    [{ orderId: undefined, customer: 'Ada' }, /orderId: is missing/],
    [{ amount: { value: 0, currency: 'NGN' } }, /amount\.value/],
    [{ amount: { value: 1, currency: 'EUR' } }, /amount\.currency/],
    [{ amount: null }, /amount/],
  ])('may not have %j', (change, message) => {
    expect(() => parse(change)).toThrow(expect.objectContaining({ code: 'invalid_options' }));
    expect(() => parse(change)).toThrow(/^getOrder is not an order: /);
    expect(() => parse(change)).toThrow(message);
  });

  it.each([null, undefined, 'order-1', []])('is not %j', (input) => {
    expect(() => parseOrder(input, 'getOrder', () => {})).toThrow(/^getOrder is not an order: /);
  });
});

describe('an optional field of an order', () => {
  const ada = { name: 'Ada Obi', email: 'ada@example.com' };
  const circular: { self?: object } = {};
  circular.self = circular;

  it('is sent without the spaces around it', () => {
    const customer = { name: ' Ada Obi\n', email: '\tada@example.com ' };
    const returnUrl = ' https://shop.example/done\n';
    const { parsed, ignored } = parse({ customer, returnUrl });
    expect([parsed.customer, parsed.returnUrl, ignored]).toEqual([ada, 'https://shop.example/done', []]);
  });

  it.each(['', ' ', null, 7, 'ada', 'jörg@example.com', 'ada@bücher.example', 'a@b c'])(
    'is left out alone if it is wrong: the e-mail address %j',
    (email) => {
      const { parsed, ignored } = parse({ customer: { ...ada, email } });
      expect([parsed.customer, ignored]).toEqual([{ name: 'Ada Obi' }, ['customer.email']]);
    },
  );

  it.each<[field: string, object]>([
    ['customer', { customer: null }],
    ['customer', { customer: 'Ada' }],
    ['customer.0', { customer: ['Ada'] }],
    ['customer.name', { customer: { name: '' } }],
    ['customer.phone', { customer: { phone: '0801' } }],
    ['expiresInSeconds', { expiresInSeconds: null }],
    ['expiresInSeconds', { expiresInSeconds: 59 }],
    ['expiresInSeconds', { expiresInSeconds: 2_592_001 }],
    ['expiresInSeconds', { expiresInSeconds: 60.5 }],
    ['metadata', { metadata: null }],
    ['metadata', { metadata: 'cart' }],
    ['metadata', { metadata: new Map() }],
    ['metadata', { metadata: { text: 'x'.repeat(40_000) } }],
    ['metadata', { metadata: { cart: 7n } }],
    ['metadata', { metadata: { weight: Number.NaN } }],
    ['metadata', { metadata: JSON.parse('{"__proto__": 1}') }],
    ['metadata', { metadata: circular }],
    ['returnUrl', { returnUrl: '/done' }],
    ['returnUrl', { returnUrl: 'javascript:alert(1)' }],
    ['title', { title: 'Books' }],
  ])('is left out if it is wrong or unknown: %s', (field, change) => {
    expect(parse(change)).toEqual({ parsed: { ...order, expiresInSeconds: 1800 }, ignored: [field] });
  });
});
