import { describe, expect, it } from 'vitest';
import { createWiredShop, order } from '../../kit/wired-shop.ts';

describe('what the merchant says of an order', () => {
  it('reaches the service: amount, customer, validity and metadata', async () => {
    const sent: unknown[] = [];
    const metadata = { cart: 'c-1', constructor: 'kept' };
    const { sandbox } = createWiredShop();
    const shop = createWiredShop(
      { createPayment: () => ({ ...order, expiresInSeconds: 600, metadata }) },
      {},
      {
        sandbox: {
          ...sandbox,
          fetch: (input, init) => {
            sent.push(JSON.parse(String(init?.body)));
            return sandbox.fetch(input, init);
          },
        },
      },
    );
    const { reference } = await shop.open();
    const { amount, customer } = order;
    expect(sent).toEqual([
      {
        reference,
        paymentMethod: 'pay_with_transfer',
        amount,
        customer,
        expiresIn: 600,
        callbackUrl: 'https://shop.example/checkout/callbacks',
        metadata,
      },
    ]);
  });

  it.each(['order\0a', 'order\ud800', 'order\n1'])('may not be called %j', async (orderId) => {
    const { checkout } = createWiredShop();
    await expect(checkout.createSession({ ...order, orderId })).rejects.toMatchObject({
      code: 'invalid_options',
      message: expect.stringContaining('orderId'),
    });
  });

  it.each([60, 30 * 24 * 3600])('may keep the account open for %i s', async (expiresInSeconds) => {
    const { checkout } = createWiredShop();
    expect((await checkout.createSession({ ...order, expiresInSeconds })).outcome).toBe('pending');
  });

  it.each([59, 30 * 24 * 3600 + 1, 90.5])('may not keep it open for %d s', async (expiresInSeconds) => {
    const { checkout } = createWiredShop();
    const session = checkout.createSession({ ...order, expiresInSeconds });
    await expect(session).rejects.toMatchObject({
      code: 'invalid_options',
      message: expect.stringContaining('expiresInSeconds'),
    });
  });
});
