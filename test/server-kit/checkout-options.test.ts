import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { createPaymentsClient } from '../../server-kit/core/client.ts';
import type { PaymentsClientOptions } from '../../server-kit/core/client-options.ts';
import type { CheckoutOptions } from '../../server-kit/engine/options.ts';
import { createMemoryStore } from '../../server-kit/stores/memory.ts';
import { sandboxCredentials } from '../../server-kit/tools/sandbox/index.ts';
import { strayKeys } from './kit/stray-keys.ts';
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

const ownSecret = 'sk_live_0a1b2c3d4e5f60718293a4b5c6d7e8f9';
const ownKey = '8c1f0e5d7b6a49382716f5e4d3c2b1a0';
const otherKey = '0d9e8f7a6b5c4d3e2f1a0b9c8d7e6f5a';
const readmeKey = 'for-a-first-try-and-nothing-else';

type Keys = Partial<PaymentsClientOptions> & Partial<CheckoutOptions>;

/** A shop on the real internet with live keys, unless a test says otherwise. */
function createShop({ baseUrl, apiKey, apiSecret, authToken, liveMode, ...options }: Keys): void {
  const payments = createPaymentsClient({
    baseUrl: baseUrl ?? 'https://api.payments.ng',
    apiKey,
    authToken,
    liveMode,
    apiSecret: apiSecret ?? ownSecret,
  });
  const publicUrl = 'https://www.kolas-books.ng';
  createWiredShop({
    client: payments,
    store: { ...createMemoryStore(), isVolatile: false },
    publicUrl,
    clientSecretKeys: [ownKey],
    ...options,
  });
}

function refusalOf(keys: Keys): string {
  try {
    createShop(keys);
  } catch (error) {
    expect(error).toMatchObject({ code: 'invalid_options' });
    return (error as Error).message;
  }
  return expect.unreachable('The options were accepted.');
}

const { apiKey, apiSecret, authToken } = sandboxCredentials;
const published: [string, Keys][] = [
  ['apiKey', { apiKey }],
  ['apiSecret', { apiSecret }],
  ['apiSecret', { apiSecret: [ownSecret, apiSecret] }],
  ['authToken', { authToken }],
  ['clientSecretKeys', { clientSecretKeys: [readmeKey] }],
  ['clientSecretKeys', { clientSecretKeys: [ownKey, readmeKey] }],
  ['operatorKey', { operatorKey: readmeKey }],
];

/** Loopback, and the names of RFC 2606 and RFC 6761. */
const harmlessUrls = [
  ...['http://localhost:3000', 'http://shop.localhost', 'http://127.0.0.1:3000', 'http://[::1]:3000'],
  ...['https://shop.test', 'https://shop.example', 'https://shop.invalid', 'https://example.com'],
  ...['https://www.example.net', 'https://shop.example.org', 'https://SHOP.TEST', 'https://shop.test.'],
];
const harmless = { baseUrl: 'https://payments.test', publicUrl: 'http://localhost:3000' };

describe('a key that is published', () => {
  it.each(published)('is refused as %s with a client that may be live', (name, keys) => {
    const message = refusalOf({ ...harmless, baseUrl: 'https://api.payments.ng', ...keys });
    expect(message).toMatch(new RegExp(`\\b${name}: .*may be live.*allowSandbox: true`));
    expect(refusalOf({ ...harmless, liveMode: true, ...keys })).toMatch(new RegExp(`\\b${name}: `));
  });

  it.each(published)('is refused as %s with a public publicUrl', (name, keys) => {
    const message = refusalOf({ liveMode: false, ...keys });
    expect(message).toMatch(new RegExp(`\\b${name}: .*publicUrl.*allowSandbox: true`));
  });

  it.each(published)('is accepted as %s with allowSandbox', (_name, keys) => {
    expect(() => createShop({ ...keys, allowSandbox: true })).not.toThrow();
    expect(() => createShop({ ...keys, liveMode: true, allowSandbox: true })).not.toThrow();
    expect(() => createShop({ ...keys, liveMode: false, allowSandbox: false })).toThrow('allowSandbox');
  });

  it.each(harmlessUrls)('is accepted with publicUrl %s and a client of test mode', (publicUrl) => {
    for (const [, keys] of published)
      expect(() => createShop({ ...harmless, publicUrl, ...keys })).not.toThrow();
  });
});

it.each<[string, string, Keys]>([
  ['operatorKey', 'clientSecretKeys', { operatorKey: ownKey }],
  ['operatorKey', 'clientSecretKeys', { clientSecretKeys: [otherKey, ownKey], operatorKey: ownKey }],
  ['clientSecretKeys', 'apiSecret', { clientSecretKeys: [ownSecret] }],
  ['clientSecretKeys', 'apiSecret', { clientSecretKeys: [ownKey, otherKey], apiSecret: ['sk_1', otherKey] }],
  ['operatorKey', 'apiSecret', { operatorKey: ownSecret }],
  ['operatorKey', 'apiKey', { operatorKey: otherKey, apiKey: otherKey }],
  ['clientSecretKeys', 'authToken', { clientSecretKeys: [otherKey], authToken: otherKey }],
])('one value for two keys is refused: %s and %s', (name, other, keys) => {
  expect(refusalOf({ ...keys, allowSandbox: true })).toMatch(new RegExp(`\\b${name}: .*\\b${other}\\b`));
});

it.each(strayKeys(ownKey))('a key with something around it is refused by its name: %s', (_what, key) => {
  expect(refusalOf({ clientSecretKeys: [otherKey, key] })).toMatch(/clientSecretKeys\.1: /);
  expect(refusalOf({ operatorKey: key })).toMatch(/operatorKey: /);
  for (const name of ['clientSecretKeys', 'operatorKey'])
    expect(refusalOf({ [name]: name === 'operatorKey' ? key : [key] })).not.toContain(ownKey);
});

describe('a key without entropy', () => {
  const repeated = ['x'.repeat(32), '0'.repeat(64), 'ab'.repeat(16), `${'changeme'.repeat(4)}chan`];

  it.each(repeated)('is refused as clientSecretKeys and operatorKey: %s', (key) => {
    expect(refusalOf({ clientSecretKeys: [ownKey, key] })).toMatch(/clientSecretKeys\.1: .*openssl rand/);
    expect(refusalOf({ operatorKey: key })).toMatch(/operatorKey: .*openssl rand/);
  });

  it.each(repeated)('is refused as apiSecret: %s', (key) => {
    expect(refusalOf({ apiSecret: key })).toMatch(/apiSecret: must not repeat/);
    expect(refusalOf({ apiSecret: [ownSecret, key] })).toMatch(/apiSecret\.1: must not repeat/);
  });
});
