import { Redis } from 'ioredis';
import pg from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createClientKey } from '../../server-kit/checkout/routes/access/client-address.ts';
import { createPostgresBus } from '../../server-kit/drivers/postgres/bus.ts';
import { createPostgresLimiter } from '../../server-kit/drivers/postgres/limiter.ts';
import { createPostgresStore } from '../../server-kit/drivers/postgres/store.ts';
import { createRedisBus } from '../../server-kit/drivers/redis/bus.ts';
import { createRedisLimiter } from '../../server-kit/drivers/redis/limiter.ts';
import { createSqliteStore } from '../../server-kit/drivers/sqlite/store.ts';
import {
  CheckoutError,
  createCheckout,
  createMemoryLimiter,
  createPaymentsClient,
  createStatusPage,
} from '../../server-kit/index.ts';
import { createSandbox } from '../../server-kit/tools/sandbox/index.ts';
import { createSandboxListener, startSandboxServer } from '../../server-kit/tools/sandbox/node/index.ts';
import { createTestShop } from '../../server-kit/tools/testing/index.ts';
import { createWiredShop, order } from './kit/wired-shop.ts';

const limit = { name: 'sessions', limit: 0, perSeconds: 60 };
const client = { baseUrl: 'https://service.example', apiSecret: 'sk_test_1' };

/** Neither connects before it is used. */
function createConnections() {
  const pool = new pg.Pool();
  const redis = new Redis({ lazyConnect: true });
  onTestFinished(() => redis.disconnect());
  return { pool, redis };
}

const cases: [
  factory: string,
  option: string,
  call: (made: ReturnType<typeof createConnections>) => unknown,
][] = [
  ['createPaymentsClient', 'timeoutMs', () => createPaymentsClient({ ...client, timeoutMs: 0 })],
  [
    'a call of the client',
    'timeoutMs',
    () => createPaymentsClient(client).payments.verify('r', { timeoutMs: 0 }),
  ],
  [
    'a list of the client',
    'maxRetries',
    () => createPaymentsClient(client).payouts.list({}, { maxRetries: -1 }),
  ],
  ['createCheckout', 'maxWaiters', () => createWiredShop({ maxWaiters: -1 })],
  ['createCheckout, nothing', 'options', () => createCheckout(undefined as never)],
  ['createCheckout, handlers', 'onPaid', () => createWiredShop({ onExpired: () => {} })],
  ['createCheckout, keys', 'reconcileKey', () => createWiredShop({ reconcileKey: 'short' })],
  ['createCheckout, limits', 'limit', () => createWiredShop({ limits: { readsPerPayment: { ...limit } } })],
  ['createSession', 'orderId', () => createWiredShop().checkout.createSession({ ...order, orderId: '' })],
  ['createLink', 'returnUrl', () => createWiredShop().checkout.createLink({ ...order, returnUrl: 'x' })],
  [
    'createStatusPage',
    'authorize',
    () => createStatusPage({ checkout: createWiredShop().checkout } as never),
  ],
  ['createMemoryLimiter', 'limit', () => createMemoryLimiter(limit)],
  ['createRedisLimiter', 'limit', ({ redis }) => createRedisLimiter({ redis, ...limit })],
  ['createPostgresLimiter', 'limit', ({ pool }) => createPostgresLimiter({ pool, ...limit })],
  ['createRedisBus', 'channel', ({ redis }) => createRedisBus({ redis, channel: '' })],
  ['createPostgresBus', 'channel', ({ pool }) => createPostgresBus({ pool, channel: '' })],
  ['createPostgresStore', 'schema', ({ pool }) => createPostgresStore({ pool, schema: 'a b' })],
  ['createSqliteStore', 'url', () => createSqliteStore({ url: 'shop.db' })],
  ['createClientKey', 'trustedProxies', () => createClientKey({ trustedProxies: ['0.0.0.0/0'] })],
  ['createSandbox', 'basePath', () => createSandbox({ basePath: 'x' })],
  [
    'createSandboxListener',
    'allowedHosts',
    () => createSandboxListener(createSandbox(), { allowedHosts: ['a b'] }),
  ],
  ['startSandboxServer', 'basePath', () => startSandboxServer({ port: 0, basePath: 'x' })],
  ['createTestShop', 'maxWaiters', () => createTestShop({ createPayment: () => order, maxWaiters: -1 })],
];

describe('a wrong option', () => {
  it.each(cases)('is refused in one way, which names it: %s, %s', async (_factory, option, call) => {
    const made = createConnections();
    const error = await (async () => call(made))().catch((cause: unknown) => cause);
    expect(error).toBeInstanceOf(CheckoutError);
    expect(error).toMatchObject({ code: 'invalid_options', message: expect.stringContaining(option) });
  });
});
