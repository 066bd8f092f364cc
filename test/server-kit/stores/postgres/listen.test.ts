import type { PoolClient } from 'pg';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createNotifications } from '../../../../server-kit/stores/postgres/listen.ts';
import { createPostgresStore } from '../../../../server-kit/stores/postgres/store.ts';
import { orderOf, shown } from '../../checkout/order/orders.ts';
import { connectPostgres, hasPostgres } from '../../kit/services.ts';
import { createTestClock } from '../../kit/test-clock.ts';
import { orderWrite } from '../conformance/store-kit.ts';
import { createSchema } from './postgres-kit.ts';

const soon = { timeout: 20_000 };

type Place = Pick<Awaited<ReturnType<typeof createSchema>>, 'connectionString' | 'schema'>;

/** A store on a pool of its own that subscribes, and what it has heard and missed. */
function listenOn({ connectionString, schema }: Place, max = 5) {
  const pool = connectPostgres(connectionString);
  pool.options.max = max;
  const store = createPostgresStore({ pool, schema });
  onTestFinished(() => store.close());
  const heard: (string | undefined)[] = [];
  const missed: Error[] = [];
  const unsubscribe = store.subscribe?.(
    (reference) => heard.push(reference),
    (error) => missed.push(error),
  );
  return { pool, store, heard, missed, unsubscribe };
}

describe.skipIf(!(await hasPostgres()))('the notifications of a PostgreSQL store', () => {
  it('reach the other instances, not its own, and none after it is closed', async () => {
    const place = await createSchema();
    const [one, other] = [listenOn(place), listenOn(place)];
    // Its first probe has come back.
    for (const { heard } of [one, other]) await expect.poll(() => heard, soon).toEqual([undefined]);
    await one.store.write(orderWrite({ record: orderOf(shown()) }));
    await expect.poll(() => other.heard, soon).toEqual([undefined, 'a']);
    expect(one.heard).toEqual([undefined]);
    await other.store.close();
    await expect.poll(() => other.pool.totalCount - other.pool.idleCount, soon).toBe(0);
    expect([one.missed, other.missed]).toEqual([[], []]);
  });

  it('are missed, and it says so, where a pooler swallows them or the pool is small', async () => {
    const place = await createSchema();
    const { missed } = listenOn(place, 2);
    expect(missed).toMatchObject([{ message: expect.stringMatching(/max is 2.*Make it 3/) }]);

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

  it('hold one connection, which transactions of handlers do not count', async () => {
    const place = await createSchema();
    const maxOf = (max: number): number => listenOn(place, max).store.maxTransactions;
    expect([maxOf(11), maxOf(3), maxOf(2)]).toEqual([6, 1, 1]);
  });
});
