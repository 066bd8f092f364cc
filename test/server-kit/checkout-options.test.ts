import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { createWiredShop, order } from './kit/wired-shop.ts';

describe('createCheckout', () => {
  it.each([
    ['testing.verificationIntervalMs', { testing: { verificationIntervalMs: Number.NaN } }],
    ['testing.verificationIntervalMs', { testing: { verificationIntervalMs: 0 } }],
    ['testing.verificationIntervalMs', { testing: { verificationIntervalMs: 99 } }],
    ['testing.verificationIntervalMs', { testing: { verificationIntervalMs: 60_001 } }],
    ['testing.verificationIntervalMs', { testing: { verificationIntervalMs: '2000' } }],
    ['lookInterval', { lookInterval: 2000 }],
    ['maxVerificationsPerSecond', { maxVerificationsPerSecond: 0 }],
    ['testing.lateWatchSeconds', { testing: { lateWatchSeconds: -1 } }],
    ['testing.reversalWatchSeconds', { testing: { reversalWatchSeconds: 1.5 } }],
    ['testing.handlerLeaseMs', { testing: { handlerLeaseMs: 30 } }],
    ['basePath', { basePath: 'checkout' }],
    ['basePath', { basePath: '/checkout?shop=1' }],
    ['bus', { bus: {} }],
    ['operatorKey', { operatorKey: 'short' }],
    ['operatorKey', { operatorKey: 'a key with blanks cannot be sent in a header' }],
    ['onExpired', { onExpired: 'https://shop.example/expired' }],
    ['onPayed', { onPayed: () => {} }],
    ['onPaid', { onPaid: 'https://shop.example/paid' }],
    ['onPaid', { onAttention: () => {} }],
    ['onPaid', { handlers: undefined }],
    ['handlers', { handlers: 'here' }],
    ['handlers', { handlers: 'elsewhere', onPaid: () => {} }],
    ['handlers', { handlers: 'elsewhere', onAttention: () => {} }],
    ['onLog', { onLog: {} }],
    ['onError', { onError: () => {} }],
    ['now', { now: 12 }],
    ['getOrder', { getOrder: undefined }],
    ['store', { store: {} }],
  ])('refuses a wrong or unknown %s: %j', (name, options) => {
    expect(() => createWiredShop(options as never)).toThrow(
      expect.objectContaining({ code: 'invalid_options', message: expect.stringContaining(`${name}:`) }),
    );
  });

  it.each([
    [{ publicUrl: 'shop.example' }, /publicUrl/],
    [{ publicUrl: 'javascript:alert(1)' }, /publicUrl/],
    [
      { publicUrl: 'https://shop.example/checkout' },
      /publicUrl: .*basePath.* write https:\/\/shop\.example$/,
    ],
    [{ publicUrl: 'https://shop.example/a/pay/', basePath: '/pay/' }, / write https:\/\/shop\.example\/a$/],
    [{ clientSecretKeys: ['short'] }, /clientSecretKeys.*32 characters/],
    [{ clientSecretKeys: [] }, /openssl rand/],
    [{ clientSecretKeys: 'a text' }, /clientSecretKeys: must be a list/],
    [{ allowedOrigins: '*' }, /allowedOrigins: must be a list of origins/],
    [{ client: {} }, /createPaymentsClient/],
    [{ dialect: {} }, 'dialect: is not a known field. Pass the dialect to createPaymentsClient.'],
  ])('refuses %j with what to pass instead', (options, message) => {
    expect(() => createWiredShop(options as never)).toThrow(message);
  });
});

describe('an order with wrong optional fields', () => {
  const customer = { name: 'Ada Obi', email: 'jörg@example.com' };
  const wrong = { ...order, customer, metadata: 'card 4242' } as never;

  it('gets its account, and a warning of each field, without its value, in the first order only', async () => {
    let orders = 0;
    const { post, checkout, log, wire } = createWiredShop({
      getOrder: () => ({ ...(wrong as typeof order), orderId: `order-${++orders}` }),
    });
    expect([(await post()).status, (await post()).status]).toEqual([201, 201]);
    expect(await checkout.createLink(wrong)).toMatchObject({ outcome: 'pending' });
    expect(wire.calls).toHaveLength(3);
    expect(log).toMatchObject(
      ['customer.email', 'metadata'].map((field) => ({ level: 'warn', type: 'orderFieldIgnored', field })),
    );
    expect(inspect(log, { depth: 9 })).not.toMatch(/jörg|4242/);
  });
});

it.each([
  ['as long as money is watched for', { lateWatchSeconds: 60 * 24 * 3600 }, 90],
  ['for 37 days at least', { lateWatchSeconds: 0, reversalWatchSeconds: 0 }, 37],
])('the client secret is valid after the account %s, by the local clock', async (_name, times, days) => {
  const { open, get, clock } = createWiredShop({ testing: times });
  const session = await open();
  clock.advance(Date.parse(session.expiresAt) + days * 24 * 3_600_000 - 1 - clock.now());
  expect((await get(session)).status).toBe(200);
  clock.advance(1);
  expect((await get(session)).status).toBe(401);
});
