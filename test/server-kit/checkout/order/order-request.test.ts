import { describe, expect, it } from 'vitest';
import { parseOrder } from '../../../../server-kit/checkout/order/order-request.ts';
import { price } from './orders.ts';

const order = { orderId: 'order-1', amount: price };

describe('an order', () => {
  it('expires after half an hour unless it says otherwise', () => {
    expect(parseOrder(order, 'createPayment')).toEqual({ ...order, expiresInSeconds: 1800 });
  });

  it.each([
    { orderId: 'Kọ́lá 👩‍👧' },
    { orderId: 'x'.repeat(200) },
    { expiresInSeconds: 60 },
    { expiresInSeconds: 2_592_000 },
  ])('may have %j', (change) => {
    expect(parseOrder({ ...order, ...change }, 'createPayment')).toMatchObject(change);
  });

  it.each([
    [{ orderId: '' }, /orderId/],
    [{ orderId: 'x'.repeat(201) }, /orderId/],
    [{ orderId: 'a\u0000' }, /orderId: must be text without control characters/],
    [{ orderId: '\ud800' }, /orderId: must be text without control characters/],
    [{ expiresInSeconds: 59 }, /expiresInSeconds/],
    [{ expiresInSeconds: 2_592_001 }, /expiresInSeconds/],
    [{ expiresInSeconds: 60.5 }, /expiresInSeconds/],
  ])('may not have %j', (change, message) => {
    const parse = () => parseOrder({ ...order, ...change }, 'createPayment');
    expect(parse).toThrow(expect.objectContaining({ code: 'invalid_options' }));
    expect(parse).toThrow(/^createPayment is not an order: /);
    expect(parse).toThrow(message);
  });
});
