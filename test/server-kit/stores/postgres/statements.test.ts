import type { PoolClient } from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createPostgresStore } from '../../../../server-kit/stores/postgres/store.ts';
import type { Session } from '../../../../src/contract/index.ts';
import { price } from '../../engine/order/orders.ts';
import { createNotifiedShop } from '../../kit/notified-shop.ts';
import { connectPostgres, hasPostgres } from '../../kit/services.ts';
import { createSchema } from './postgres-kit.ts';

/** What `pg` emits for each statement that has ended. */
type Connection = {
  connection: { on: (event: string, listener: (message: { text: string }) => void) => void };
};

describe.skipIf(!(await hasPostgres()))('a paid order on PostgreSQL', () => {
  it('takes at most 15 statements and one transaction, from its session to `onPaid`, with one held request and one callback', async () => {
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
    // Less than the pause of a held request, so that its sleep after the verification is told from the one during it.
    const verificationIntervalMs = 2500;
    const shop = createNotifiedShop({
      store,
      testing: { verificationIntervalMs },
      getOrder: ({ body }) => ({ ...(body as { orderId: string }), amount: price }),
    });
    shop.loseCallbacks();
    const payOne = async (orderId: string): Promise<string[]> => {
      commands.length = 0;
      const opened = await shop.post({}, JSON.stringify({ orderId }));
      const session = (await opened.json()) as Session;
      // Its verification is news for the page, whose next request is held.
      const { response: held } = await shop.hold(session);
      await shop.clock.untilWaiting(verificationIntervalMs);
      shop.pay(session.account.number, 1000);
      // Sooner than the held request reads the order again.
      shop.clock.advance(2000);
      await shop.callBack({ reference: session.reference });
      await held;
      expect(shop.notified).toContain(`${orderId}:paid`);
      // Nobody waits for a notification to other instances. The connection that listens for them stays in use.
      await expect.poll(() => pool.totalCount - pool.idleCount).toBe(1);
      return [...commands];
    };
    await payOne('order-1');
    const taken = await payOne('order-2');
    expect(taken.filter((text) => text === 'BEGIN')).toHaveLength(1);
    expect(taken.length, taken.join(', ')).toBeLessThanOrEqual(15);
  });
});
