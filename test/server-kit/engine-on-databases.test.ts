import { describe, expect, it } from 'vitest';
import type { OutcomeEvent } from '../../server-kit/engine/outbox/handlers.ts';
import type { Session } from '../../src/contract/index.ts';
import { createGate } from './kit/gate.ts';
import { hasPostgres } from './kit/services.ts';
import { createTestClock, nextTurn } from './kit/test-clock.ts';
import { createWiredShop, order, shopUrl } from './kit/wired-shop.ts';
import { createSchema } from './stores/postgres/postgres-kit.ts';

const clock = createTestClock();

const sessionRequest = ({ reference, clientSecret }: Session): Request =>
  new Request(`${shopUrl}/checkout/sessions/${reference}`, {
    headers: { 'checkout-secret': clientSecret },
  });

describe.skipIf(!(await hasPostgres()))('a checkout on PostgreSQL', () => {
  it('commits what the handler writes exactly if its event counts as done', async () => {
    const { schema, pool, open } = await createSchema();
    await pool.query(`CREATE TABLE ${schema}.shipments (order_id text)`);
    let tries = 0;
    const onPaid = async ({ transaction, order: { orderId } }: OutcomeEvent): Promise<void> => {
      await (transaction as typeof pool).query(`INSERT INTO ${schema}.shipments VALUES ($1)`, [orderId]);
      if (++tries === 1) throw new Error('no stock');
    };
    const shop = createWiredShop(
      { store: open({ now: clock.now }), onPaid, testing: { random: () => 0 } },
      {},
      { clock },
    );
    const session = await shop.open();
    shop.sandbox.control.transfer({ accountNumber: session.account.number, amount: order.amount.value });
    clock.advance(5000);
    await shop.get(session);
    expect(shop.errors).toMatchObject([{ message: 'no stock' }]);
    const shipped = async () => (await pool.query(`SELECT order_id FROM ${schema}.shipments`)).rows;
    expect(await shipped()).toEqual([]);
    clock.advance(600);
    await nextTurn();
    await shop.checkout.settled();
    expect(await shipped()).toEqual([{ order_id: 'order-1' }]);
    expect(tries).toBe(2);
  });

  it('refuses an unsigned callback, whatever it names', async () => {
    const { open } = await createSchema();
    const { checkout, errors } = createWiredShop({ store: open({ now: clock.now }) }, {}, { clock });
    for (const reference of ['a\0b', 'x'.repeat(60_000), '\ud800']) {
      const body = JSON.stringify({ event: 'payment.succeeded', data: { reference } });
      const headers = {
        'request-signature': 'ab'.repeat(64),
        'request-timestamp': String(Math.floor(clock.now() / 1000)),
      };
      const url = `${shopUrl}/checkout/callbacks`;
      const response = await checkout.handler(new Request(url, { method: 'POST', headers, body }));
      expect(response.status).toBe(401);
    }
    expect(errors).toEqual([]);
  });

  it('cuts off a handler that never ends, rolls back what it wrote, and calls it again', async () => {
    const { schema, pool, open } = await createSchema();
    await pool.query(`CREATE TABLE ${schema}.shipments (order_id text)`);
    const [begun, late] = [createGate(), createGate()];
    const tries: Promise<unknown>[] = [];
    const onPaid = async ({ transaction, order: { orderId } }: OutcomeEvent): Promise<void> => {
      const ship = () =>
        (transaction as typeof pool).query(`INSERT INTO ${schema}.shipments VALUES ($1)`, [orderId]);
      await ship();
      begun.open();
      if (tries.length === 0) await tries[tries.push(late.opened.then(ship).catch((error) => error)) - 1];
    };
    const store = open({ now: clock.now });
    let renewed = 0;
    const renewOutboxEvent: typeof store.renewOutboxEvent = (...renewal) =>
      store.renewOutboxEvent(...renewal).finally(() => renewed++);
    const options = {
      store: { ...store, renewOutboxEvent },
      onPaid,
      testing: { random: () => 0, handlerLeaseMs: 1000 },
    };
    const { checkout, ...shop } = createWiredShop(options, {}, { clock });
    const session = await checkout.createSession(order);
    shop.sandbox.control.transfer({ accountNumber: session.account.number, amount: order.amount.value });
    clock.advance(5000);
    await checkout.handler(sessionRequest(session));
    await begun.opened;
    for (let renewals = 1; renewals <= 30; renewals++) {
      await clock.untilWaiting(1000 / 3);
      clock.advance(1000 / 3);
      await expect.poll(() => renewed, { interval: 1 }).toBe(renewals);
      await nextTurn();
    }
    await clock.untilWaiting(5000);
    clock.advance(5000);
    await checkout.settled();
    expect(shop.errors).toMatchObject([{ message: expect.stringContaining('took longer than 10 seconds') }]);
    clock.advance(600);
    await nextTurn();
    await checkout.settled();
    late.open();
    expect(await tries[0]).toBeInstanceOf(Error);
    expect((await pool.query(`SELECT order_id FROM ${schema}.shipments`)).rows).toHaveLength(1);
  });

  it('aborts the signal of a handler whose connection the database has ended, and calls it again', async () => {
    const { pool, open } = await createSchema();
    const signals: AbortSignal[] = [];
    const onPaid = async ({ signal, transaction }: OutcomeEvent): Promise<void> => {
      if (signals.push(signal) > 1) return;
      const [row] = (await (transaction as typeof pool).query('SELECT pg_backend_pid() AS pid')).rows;
      const aborted = new Promise((resolve) => signal.addEventListener('abort', resolve));
      await pool.query('SELECT pg_terminate_backend($1)', [row.pid]);
      await aborted;
    };
    const shop = createWiredShop(
      { store: open({ now: clock.now }), onPaid, testing: { random: () => 0 } },
      {},
      { clock },
    );
    const session = await shop.open();
    shop.sandbox.control.transfer({ accountNumber: session.account.number, amount: order.amount.value });
    clock.advance(5000);
    await shop.get(session);
    expect(shop.errors).toMatchObject([{ message: expect.stringMatching(/connection/i) }]);
    clock.advance(600);
    await nextTurn();
    await shop.checkout.settled();
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, false]);
  });
});
