import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { safeParse } from 'valibot';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createCheckout } from '../../server-kit/checkout.ts';
import type { OutcomeEvent } from '../../server-kit/outbox/handlers.ts';
import { sandboxCredentials } from '../../server-kit/sandbox/index.ts';
import { createSqliteStore } from '../../server-kit/stores/sqlite.ts';
import type { Store } from '../../server-kit/stores/store.ts';
import { createTestShop, type TestParts } from '../../server-kit/testing/index.ts';
import { PaymentView, type Session } from '../../src/contract/index.ts';
import { viewOf } from '../core/views.ts';
import * as released from '../fixtures/released/server-kit.js';
import { hasPostgres, postgresUrl } from './kit/services.ts';
import { createSchema } from './stores/postgres-kit.ts';

type Version = 'released' | 'current';
const versions = ['released', 'current'] as const;

/** One store of each version, on the same database. */
type OpenStores = (now: () => number) => Promise<Record<Version, Store>>;

const amount = { value: 1_250_000, currency: 'NGN' } as const;
const order = { orderId: 'order-1', amount, expiresInSeconds: 1800 };

/** Two instances of one shop during a deployment; a test says which one gets a request. */
async function deploy(openStores: OpenStores, callbacksGoTo: Version) {
  const notified: string[] = [];
  const note = ({ idempotencyKey }: OutcomeEvent): void => void notified.push(idempotencyKey);
  const handlers = { onPaid: note, onUnexpectedMoney: note, createPayment: () => order };
  const instances: Partial<Record<Version, ReturnType<typeof createCheckout>>> = {};
  const instanceOf = (version: Version) => {
    const instance = instances[version];
    if (instance === undefined) throw new Error(`The ${version} instance is not started.`);
    return instance;
  };
  const shared: Partial<TestParts> = {};
  const shop = createTestShop((parts) => {
    Object.assign(shared, parts);
    return {
      ...createCheckout(parts),
      handler: (request) => instanceOf(callbacksGoTo).handler(request),
      settled: async () => {
        for (const version of versions) await instanceOf(version).settled();
      },
    };
  });
  const stores = await openStores(shop.clock.now);
  // The released version makes its tables before the current one brings them further.
  await stores.released.migrate();
  const options = { ...(shared as TestParts), ...handlers };
  const { maxVerificationsPerSecond: _, allowSandbox: __, ...releasedOptions } = options;
  const payments = released.createPaymentsClient({
    ...sandboxCredentials,
    baseUrl: 'https://payments.example',
    fetch: shop.sandbox.fetch,
    now: shop.clock.now,
  });
  instances.released = released.createCheckout({ ...releasedOptions, payments, store: stores.released });
  instances.current = createCheckout({ ...options, store: stores.current });
  const ask = async (version: Version, path: string, init: RequestInit): Promise<Session> => {
    const url = `https://shop.example/checkout/sessions${path}`;
    const response = await instanceOf(version).handler(new Request(url, init));
    await shop.settled();
    const body = await response.text();
    if (!response.ok) throw new Error(`${version} ${path}: ${response.status} ${body}`);
    // Both may verify again at once.
    await shop.advance({ seconds: 10 });
    return JSON.parse(body);
  };
  return {
    ...shop,
    notified,
    post: (version: Version) =>
      ask(version, '', {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'checkout-contract': '1' },
        body: '{}',
      }),
    get: (version: Version, { reference, clientSecret }: Session) =>
      ask(version, `/${reference}`, {
        headers: { authorization: `Bearer ${clientSecret}`, 'checkout-contract': '1' },
      }),
  };
}

const databases: Record<string, { open: OpenStores; isThere: boolean }> = {
  SQLite: {
    isThere: true,
    open: async (now) => {
      const folder = mkdtempSync(join(tmpdir(), 'transfer-checkout-released-'));
      const url = `file:${join(folder, 'shop.db')}`;
      const stores = {
        released: released.createSqliteStore({ url, now }),
        current: createSqliteStore({ url, now }),
      };
      onTestFinished(async () => {
        for (const version of versions) await stores[version].close();
        rmSync(folder, { recursive: true });
      });
      return stores;
    },
  },
  PostgreSQL: {
    isThere: await hasPostgres(),
    open: async (now) => {
      const { schema, open } = await createSchema();
      const store = released.createPostgresStore({ connectionString: postgresUrl, schema, now });
      onTestFinished(() => store.close());
      return { released: store, current: open({ now }) };
    },
  },
};

const cases = Object.keys(databases).flatMap((database) =>
  versions.map((version) => [database, version] as const),
);

describe.each(cases)(
  'two versions of the server on one %s, callbacks to the %s one',
  (name, callbacksGoTo) => {
    const { open, isThere } = databases[name] as (typeof databases)[string];

    it.skipIf(!isThere)('give one order one payment, and pay it once', async () => {
      const { post, get, pay, notified } = await deploy(open, callbacksGoTo);
      const session = await post('released');
      expect(await post('current')).toMatchObject({ reference: session.reference, account: session.account });
      await pay(session);
      for (const version of versions) {
        const paid = { reference: session.reference, outcome: 'paid', chargedAmount: amount.value };
        expect(await get(version, session)).toMatchObject(paid);
        expect(await post(version)).toMatchObject(paid);
      }
      expect(notified).toEqual(['order-1:paid']);
    });

    it.skipIf(!isThere)('pay an order once that is paid late, on its first account', async () => {
      const { post, get, pay, advance, notified } = await deploy(open, callbacksGoTo);
      const first = await post('current');
      await advance({ minutes: 31 });
      for (const version of versions) expect(await get(version, first)).toMatchObject({ outcome: 'expired' });
      const second = await post('released');
      expect(await post('current')).toMatchObject({ reference: second.reference, outcome: 'pending' });
      expect(second.reference).not.toBe(first.reference);

      await pay(first);
      const late = { outcome: 'paid', receivedLate: true, chargedAmount: amount.value };
      for (const version of versions) {
        expect(await get(version, first)).toMatchObject({ ...late, reference: first.reference });
        expect(await post(version)).toMatchObject({ ...late, reference: first.reference });
      }
      expect(notified).toEqual(['order-1:paid']);
    });

    it.skipIf(!isThere)(
      'show the holder of the second account that the first is paid, with the current version',
      async () => {
        const { post, get, pay, advance, notified } = await deploy(open, callbacksGoTo);
        const first = await post('released');
        await advance({ minutes: 31 });
        const second = await post('current');
        await pay(first);
        expect(await get('current', second)).toMatchObject({
          reference: second.reference,
          paymentReference: first.reference,
          account: first.account,
          outcome: 'paid',
          receivedLate: true,
        });
        await pay(second);
        expect(await get('current', second)).toMatchObject({
          paymentReference: first.reference,
          outcome: 'paid',
          chargedAmount: amount.value,
          orderChargedAmount: 2 * amount.value,
        });
        expect(notified.toSorted()).toEqual(['order-1:paid', `order-1:unexpectedMoney:${second.reference}`]);
      },
    );
  },
);

describe('the view of a payment', () => {
  const additions = { paymentReference: 'order-1001-0', orderChargedAmount: 2_500_000 };
  const paid = viewOf({ outcome: 'paid', status: 'succeeded', chargedAmount: 1_250_000, receivedLate: true });

  it('of today is accepted by the released version, which ignores what it does not know', () => {
    expect(released.safeParse(released.PaymentView, { ...paid, ...additions })).toMatchObject({
      success: true,
      output: paid,
    });
    expect(released.safeParse(released.PaymentView, { ...paid, ...additions }).output).toEqual(paid);
  });

  it('of the released version is accepted unchanged', () => {
    expect(safeParse(PaymentView, paid).output).toEqual(paid);
  });
});
