import pg from 'pg';
import { expect, it } from 'vitest';
import { createClientKey } from '../../server-kit/engine/routes/access/client-address.ts';
import {
  CheckoutError,
  createCheckout,
  createMemoryStore,
  createPaymentRoutes,
  createPaymentsClient,
} from '../../server-kit/index.ts';
import { createPostgresStore } from '../../server-kit/stores/postgres/store.ts';
import { createSqliteStore } from '../../server-kit/stores/sqlite/store.ts';
import { createSandbox, readFixtures } from '../../server-kit/tools/sandbox/index.ts';
import { createSandboxListener, startSandboxServer } from '../../server-kit/tools/sandbox/node/index.ts';
import { createCallback, createTestClock, createTestShop } from '../../server-kit/tools/testing/index.ts';
import { createWiredShop, order } from './kit/wired-shop.ts';

const callbackUrl = 'https://shop.example/checkout/callbacks';
const ownKeys = { clientSecretKeys: ['k1-0123456789-0123456789-0123456789'] };
const withUnknown = { ...ownKeys, findPayments: () => {} } as never;
const payWith = async (options: { amount?: number }) => {
  const shop = createTestShop();
  return shop.pay(await shop.open(), options);
};
const client = { baseUrl: 'https://service.example', apiSecret: 'sk_test_1' };

/** It does not connect before it is used. */
const pool = new pg.Pool();
const text = 'text' as never;
const listen = (options: Parameters<typeof createSandboxListener>[1]) =>
  createSandboxListener(createSandbox(), options);

const cases: [factory: string, option: string, call: () => unknown][] = [
  ['createPaymentsClient', 'timeoutMs', () => createPaymentsClient({ ...client, timeoutMs: 0 })],
  ['createCheckout', 'testing.maxHeld', () => createWiredShop({ testing: { maxHeld: -1 } })],
  ['createCheckout, nothing', 'options', () => createCheckout(undefined as never)],
  ['createCheckout, address', 'publicUrl', () => createWiredShop({ publicUrl: undefined } as never)],
  ['createSession', 'orderId', () => createWiredShop().checkout.createSession({ ...order, orderId: '' })],
  ['createLink', 'orderId', () => createWiredShop().checkout.createLink({ ...order, orderId: '' })],
  ['createPaymentRoutes', 'client', () => createPaymentRoutes(ownKeys as never)],
  ['createPaymentRoutes, unknown', 'findPayments', () => createPaymentRoutes(withUnknown)],
  ['createMemoryStore', 'now', () => createMemoryStore({ now: 5 } as never)],
  ['createPostgresStore', 'schema', () => createPostgresStore({ pool, schema: 'a b' })],
  ['createPostgresStore, unknown', 'shema', () => createPostgresStore({ pool, shema: 'a' } as never)],
  ['createPostgresStore, nothing', 'options', () => createPostgresStore(undefined as never)],
  ['createPostgresStore, no pool', 'pool', () => createPostgresStore({ pool: null } as never)],
  ['createSqliteStore', 'url', () => createSqliteStore({ url: 'shop.db' })],
  ['createSqliteStore, lost with the process', 'url', () => createSqliteStore({ url: 'file::memory:' })],
  ['createSqliteStore, a number', 'url', () => createSqliteStore({ url: 5 } as never)],
  ['createSqliteStore, nothing', 'options', () => createSqliteStore(undefined as never)],
  ['createClientKey', 'trustedProxies', () => createClientKey({ trustedProxies: ['0.0.0.0/0'] })],
  ['createClientKey, no list', 'trustedProxies', () => createClientKey({ trustedProxies: text })],
  ['createClientKey, nothing', 'options', () => createClientKey(undefined as never)],
  ['createSandbox', 'basePath', () => createSandbox({ basePath: 'x' })],
  ['createSandbox, fixtures', 'payments', () => createSandbox({ fixtures: { payments: 5 } as never })],
  ['readFixtures', 'payment', () => readFixtures({ payment: [] })],
  ['createSandboxListener', 'allowedHosts', () => listen({ allowedHosts: ['a b'] })],
  ['createSandboxListener, unknown', 'pages', () => listen({ pages: 'x' } as never)],
  ['startSandboxServer', 'basePath', () => startSandboxServer({ port: 0, basePath: 'x' })],
  ['startSandboxServer, a text', 'port', () => startSandboxServer({ port: '4010' } as never)],
  ['createTestShop', 'testing.maxHeld', () => createTestShop({ testing: { maxHeld: -1 } })],
  ['createTestShop, the second argument', 'clok', () => createTestShop({}, { clok: 1 } as never)],
  ['createTestShop, nothing', 'options', () => createTestShop(null as never)],
  ['createTestClock', 'milliseconds', () => createTestClock('noon' as never)],
  ['createCallback', 'refrence', () => createCallback({ callbackUrl, refrence: 'x' } as never)],
  ['createCallback, its event', 'event', () => createCallback({ callbackUrl, event: 'paid' as never })],
  ['pay of a test shop', 'amuont', () => payWith({ amuont: 1 } as never)],
  ['advance of a test shop', 'minute', () => createTestShop().advance({ minute: 1 } as never)],
];

it.each(cases)('a wrong option is refused, and named: %s, %s', async (_factory, option, call) => {
  const error = await (async () => call())().catch((cause: unknown) => cause);
  expect(error).toBeInstanceOf(CheckoutError);
  expect(error).toMatchObject({ code: 'invalid_options', message: expect.stringContaining(option) });
});
