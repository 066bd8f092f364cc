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
  it.each<[string, object]>([
    ...[Number.NaN, 99, 60_001, '2000'].map((verificationIntervalMs): [string, object] => [
      'testing.verificationIntervalMs',
      { testing: { verificationIntervalMs } },
    ]),
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
    [{ publicUrl: 'https://shop.example/checkout' }, /basePath.* write https:\/\/shop\.example$/],
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

it('an order with wrong optional fields gets its account, and a warning of each field, without its value, in the first order only', async () => {
  const customer = { name: 'Ada Obi', email: 'jörg@example.com' };
  const wrong = { ...order, customer, metadata: 'card 4242' } as never as typeof order;
  let orders = 0;
  const getOrder = () => ({ ...wrong, orderId: `order-${++orders}` });
  const { post, checkout, log, wire } = createWiredShop({ getOrder });
  expect([(await post()).status, (await post()).status]).toEqual([201, 201]);
  expect(await checkout.createLink(wrong)).toMatchObject({ outcome: 'pending' });
  expect(wire.calls).toHaveLength(3);
  const fields = ['customer.email', 'metadata'];
  expect(log).toMatchObject(fields.map((field) => ({ level: 'warn', type: 'orderFieldIgnored', field })));
  expect(inspect(log, { depth: 9 })).not.toMatch(/jörg|4242/);
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
function createShop({ baseUrl, apiKey, apiSecret = ownSecret, authToken, liveMode, ...options }: Keys): void {
  const service = { baseUrl: baseUrl ?? 'https://api.payments.ng', apiKey, apiSecret, authToken, liveMode };
  createWiredShop({
    client: createPaymentsClient(service),
    store: { ...createMemoryStore(), isVolatile: false },
    publicUrl: 'https://www.kolas-books.ng',
    clientSecretKeys: [ownKey],
    ...options,
  });
}

/** The message of the refusal; an empty text if the keys are accepted. */
function refusalOf(keys: Keys): string {
  try {
    createShop(keys);
  } catch (error) {
    expect(error).toMatchObject({ code: 'invalid_options' });
    return (error as Error).message;
  }
  return '';
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
  it.each(published)('is refused as %s where payments or pages may be live', (name, keys) => {
    const mayBeLive = refusalOf({ ...harmless, baseUrl: 'https://api.payments.ng', ...keys });
    expect(mayBeLive).toMatch(new RegExp(`\\b${name}: .*may be live.*allowSandbox: true`));
    expect(refusalOf({ ...harmless, liveMode: true, ...keys })).toMatch(new RegExp(`\\b${name}: `));
    const isPublic = refusalOf({ liveMode: false, ...keys });
    expect(isPublic).toMatch(new RegExp(`\\b${name}: .*publicUrl.*allowSandbox: true`));
    expect(refusalOf({ ...keys, liveMode: false, allowSandbox: false })).toContain('allowSandbox');
  });

  it.each(published)('is accepted as %s with allowSandbox', (_name, keys) => {
    expect(refusalOf({ ...keys, allowSandbox: true })).toBe('');
    expect(refusalOf({ ...keys, liveMode: true, allowSandbox: true })).toBe('');
  });

  it.each(harmlessUrls)('is accepted with publicUrl %s and a client of test mode', (publicUrl) => {
    for (const [, keys] of published) expect(refusalOf({ ...harmless, publicUrl, ...keys })).toBe('');
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
  for (const keys of [{ clientSecretKeys: [key] }, { operatorKey: key }])
    expect(refusalOf(keys)).not.toContain(ownKey);
});

it.each(['x'.repeat(32), '0'.repeat(64), 'ab'.repeat(16), `${'changeme'.repeat(4)}chan`])(
  'a key without entropy is refused wherever it stands: %s',
  (key) => {
    expect(refusalOf({ clientSecretKeys: [ownKey, key] })).toMatch(/clientSecretKeys\.1: .*openssl rand/);
    expect(refusalOf({ operatorKey: key })).toMatch(/operatorKey: .*openssl rand/);
    expect(refusalOf({ apiSecret: key })).toMatch(/apiSecret: must not repeat/);
    expect(refusalOf({ apiSecret: [ownSecret, key] })).toMatch(/apiSecret\.1: must not repeat/);
  },
);
