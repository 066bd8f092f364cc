import { getEventListeners } from 'node:events';
import type { PoolClient } from 'pg';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Store } from '../../../../server-kit/engine/store.ts';
import { createNotifications } from '../../../../server-kit/stores/postgres/listen.ts';
import { createPostgresStore } from '../../../../server-kit/stores/postgres/store.ts';
import { orderOf, price, shown } from '../../engine/order/orders.ts';
import { createNotifiedShop } from '../../kit/notified-shop.ts';
import { connectPostgres, hasPostgres } from '../../kit/services.ts';
import { createTestClock } from '../../kit/test-clock.ts';
import { readView } from '../../kit/wire-faults.ts';
import { orderWrite } from '../conformance/store-kit.ts';
import { createSchema } from './postgres-kit.ts';

const soon = { timeout: 20_000 };

/** Opens a payment, and changes its order, which other instances must hear of. */
async function change(store: Store, reference = 'a'): Promise<void> {
  const record = orderOf(shown({ reference }));
  for (const version of [0, 1, 2]) await store.write(orderWrite({ id: reference, record, version }));
}

type Place = Pick<Awaited<ReturnType<typeof createSchema>>, 'connectionString' | 'schema'>;

/** Two stores that subscribe, whose first probes have come back. */
async function listenTwice(place: Place) {
  const both = [listenOn(place), listenOn(place)] as const;
  for (const { heard } of both) await expect.poll(() => heard, soon).toEqual([undefined]);
  return both;
}

/** Ends the connections that listen; returns how many there were. */
const endListening = async ({
  schema,
  pool,
}: Pick<Awaited<ReturnType<typeof createSchema>>, 'schema' | 'pool'>) => {
  const sql =
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'LISTEN%' AND application_name = $1";
  return (await pool.query(sql, [schema])).rowCount;
};

/** A store on a pool of its own. */
function storeOn({ connectionString, schema }: Place, max = 5) {
  const pool = connectPostgres(connectionString);
  pool.options.max = max;
  const store = createPostgresStore({ pool, schema });
  onTestFinished(() => store.close());
  return { pool, store };
}

/** What a store that subscribes has heard and missed. */
function listenOn(place: Place, max?: number) {
  const { pool, store } = storeOn(place, max);
  const heard: (string | undefined)[] = [];
  const missed: Error[] = [];
  store.subscribe?.(
    (reference) => heard.push(reference),
    (error) => missed.push(error),
  );
  return { pool, store, heard, missed };
}

describe.skipIf(!(await hasPostgres()))('the notifications of a PostgreSQL store', () => {
  it('reach the other instances, not its own, and none after it is closed', async () => {
    const place = await createSchema();
    const [one, other] = await listenTwice(place);
    await change(one.store);
    await expect.poll(() => other.heard, soon).toEqual([undefined, 'a']);
    expect(one.heard).toEqual([undefined]);
    await other.store.close();
    await expect.poll(() => other.pool.totalCount - other.pool.idleCount, soon).toBe(0);
    expect([one.missed, other.missed]).toEqual([[], []]);
  });

  it('wake a request that another instance holds, within 250 ms', async () => {
    const place = await createSchema();
    // Only callbacks cause verifications.
    const testing = { verificationIntervalMs: 60_000 };
    const shop = createNotifiedShop({ store: storeOn(place).store, testing });
    const other = shop.another({ store: storeOn(place).store, testing });
    const times: number[] = [];
    for (let number = 1; number <= 9; number++) {
      const orderId = `order-${number}`;
      const session = await shop.checkout.createSession({ orderId, amount: price });
      // The test's clock stands still, so that only a notification can wake it.
      const { response } = await shop.hold(session, other);
      shop.pay(session.account.number, 1000);
      shop.clock.advance(2000);
      await shop.callBack({ reference: session.reference });
      const writtenAt = performance.now();
      expect(await readView(response)).toMatchObject({ outcome: 'paid' });
      times.push(performance.now() - writtenAt);
    }
    expect(times.sort((left, right) => left - right)[4]).toBeLessThan(250);
  });

  it('are missed while the connection is lost, which it says once, and then heard again', async () => {
    const place = await createSchema();
    const [one, other] = await listenTwice(place);
    expect(await endListening(place)).toBe(2);
    await expect.poll(() => other.heard, soon).toEqual([undefined, undefined]);
    expect(other.missed).toMatchObject([
      { message: expect.stringContaining('does not hear other instances'), cause: expect.any(Error) },
    ]);
    await change(one.store);
    await expect.poll(() => other.heard, soon).toEqual([undefined, undefined, 'a']);
  });

  it('keep nothing of the connections that were lost', async () => {
    const listeners = vi.spyOn(EventTarget.prototype, 'addEventListener');
    onTestFinished(() => listeners.mockRestore());
    const most = (): number =>
      Math.max(
        ...listeners.mock.contexts.map((target) => getEventListeners(target as EventTarget, 'abort').length),
      );
    const place = await createSchema();
    const { heard } = listenOn(place);
    for (let lost = 1; lost <= 4; lost++) {
      await expect.poll(() => heard, soon).toHaveLength(lost);
      await endListening(place);
    }
    await expect.poll(() => heard, soon).toHaveLength(5);
    expect(most()).toBeLessThan(4);
  });

  it('are missed, and it says so, where a pooler swallows them or the pool is small', async () => {
    const place = await createSchema();
    const { missed } = listenOn(place, 2);
    expect(missed).toMatchObject([{ message: expect.stringMatching(/max is 2.*make it 3/) }]);

    const pool = connectPostgres(place.connectionString);
    const { connect } = pool;
    const swallowing = async () => {
      const client = await (connect as () => Promise<PoolClient>).call(pool);
      // The pooler has run LISTEN in another session.
      vi.spyOn(client, 'query').mockImplementation((() => {}) as never);
      return client;
    };
    vi.spyOn(pool, 'connect').mockImplementation(((callback?: never) =>
      callback === undefined ? swallowing() : connect.call(pool, callback as never)) as never);
    const clock = createTestClock();
    const notifications = createNotifications({ pool, schema: undefined, wait: clock.wait });
    onTestFinished(notifications.close);
    const swallowed = new Promise<Error>((resolve) => notifications.subscribe(() => {}, resolve));
    await clock.untilWaiting(5000);
    clock.advance(5000);
    expect((await swallowed).message).toContain('a pooler in transaction mode swallows notifications');
  });

  it('are heard while the other connections of the pool are busy, however long', async () => {
    const pool = connectPostgres((await createSchema()).connectionString);
    pool.options.max = 3;
    const busy = [await pool.connect(), await pool.connect()];
    const clock = createTestClock();
    const notifications = createNotifications({ pool, schema: undefined, wait: clock.wait });
    onTestFinished(notifications.close);
    const heard: unknown[] = [];
    notifications.subscribe(
      (reference) => heard.push(reference),
      (error) => heard.push(error),
    );
    // The probe.
    await expect.poll(() => pool.waitingCount, soon).toBe(1);
    clock.advance(5000);
    for (const client of busy) client.release();
    await expect.poll(() => heard, soon).toEqual([undefined]);
  });

  it('are sent in few statements when many orders change at once', async () => {
    const place = await createSchema();
    const [one, other] = await listenTwice(place);
    const query = vi.spyOn(one.pool, 'query');
    const references = Array.from({ length: 250 }, (_, index) => `tc_${index}`);
    await Promise.all(references.map((reference) => change(one.store, reference)));
    await expect.poll(() => other.heard.length, soon).toBe(251);
    const sent = query.mock.calls.filter(([text]) => String(text).includes('pg_notify'));
    expect(sent.length).toBeLessThan(125);
  });
});
