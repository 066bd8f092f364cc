import type { PoolClient } from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createPostgresStore } from '../../../../server-kit/stores/postgres/store.ts';
import type { Session } from '../../../../src/contract/index.ts';
import { price } from '../../engine/order/orders.ts';
import { createNotifiedShop } from '../../kit/notified-shop.ts';
import { connectPostgres, hasPostgres } from '../../kit/services.ts';
import { nextTurn } from '../../kit/test-clock.ts';
import { createSchema } from './postgres-kit.ts';

/** What `pg` emits for each statement that has ended. */
type Connection = {
  connection: { on: (event: string, listener: (message: { text: string }) => void) => void };
};

describe.skipIf(!(await hasPostgres()))('a paid order on PostgreSQL', () => {
  it('takes at most 14 statements and one transaction, from its session to `onPaid`, with one callback', async () => {
    const { connectionString, schema } = await createSchema();
    const pool = connectPostgres(connectionString);
    const commands: string[] = [];
    pool.on('connect', (client: PoolClient) => {
      const { connection } = client as unknown as Connection;
      connection.on('commandComplete', ({ text }) => commands.push(text));
    });
    const store = createPostgresStore({ pool, schema });
    onTestFinished(() => store.close());
    await store.prepare();
    const uncounted = createPostgresStore({ connectionString, schema });
    onTestFinished(() => uncounted.close());
    const observed = async (reference: string) => {
      const { record } = await uncounted.find({ reference });
      return record?.payments.some((payment) => payment.state === 'open' && payment.observed !== null);
    };
    const shop = createNotifiedShop({
      store,
      testing: { verificationIntervalMs: 60_000 },
      getOrder: ({ body }) => ({ ...(body as { orderId: string }), amount: price }),
    });
    shop.loseCallbacks();
    const payOne = async (orderId: string): Promise<string[]> => {
      commands.length = 0;
      const opened = await shop.post({}, JSON.stringify({ orderId }));
      const session = (await opened.json()) as Session;
      const etag = opened.headers.get('etag') ?? '';
      const response = shop.get(session, { 'if-none-match': etag, prefer: 'wait=25' });
      // The held request has verified the payment, has recorded that, and sleeps.
      await expect.poll(() => observed(session.reference)).toBe(true);
      for (let turn = 0; turn < 20; turn++) await nextTurn();
      shop.pay(session.account.number, 1000);
      // Sooner than the held request reads the order again.
      shop.clock.advance(2000);
      await shop.callBack({ reference: session.reference });
      await response;
      expect(shop.notified).toContain(`${orderId}:paid`);
      return [...commands];
    };
    await payOne('order-1');
    const taken = await payOne('order-2');
    expect(taken.filter((text) => text === 'BEGIN')).toHaveLength(1);
    expect(taken.length, taken.join(', ')).toBeLessThanOrEqual(14);
  });
});
