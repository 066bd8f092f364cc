import { Pool, type PoolClient } from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createPostgresStore } from '../../../../server-kit/stores/postgres/store.ts';
import { createGate } from '../../kit/gate.ts';
import { watchProcess } from '../../kit/raw-connection.ts';
import { hasPostgres, postgresUrl } from '../../kit/services.ts';
import { createTcpProxy } from '../../kit/tcp-proxy.ts';
import { createTestClock } from '../../kit/test-clock.ts';
import { describeStore } from '../conformance/store.conformance.ts';
import { eventsOf, helpersFor, orderWrite } from '../conformance/store-kit.ts';
import { createSchema, shareStores } from './postgres-kit.ts';

/** A store with one event that runs, a shop's own table beside it, and another instance. */
async function openRun() {
  const clock = createTestClock();
  const { open, pool, schema } = await createSchema();
  const [store, other] = [open(clock), open(clock)];
  const helpers = helpersFor(store);
  await helpers.add('order-1', 'paid', 'reversed');
  const run = await helpers.claim('order-1:0:paid');
  await pool.query('CREATE TABLE shipped (order_id text)');
  const ship = async (client: PoolClient): Promise<void> => {
    await client.query(`INSERT INTO ${schema}.shipped VALUES ('order-1')`);
  };
  /** Begins a transaction with the event, which has shipped, and ends when the gate opens. */
  const shipSlowly = async (signal?: AbortSignal) => {
    const [begun, gate] = [createGate(), createGate()];
    const slowly = async (client: PoolClient): Promise<void> => {
      await ship(client);
      begun.open();
      await gate.opened;
    };
    const ended = store.transact(run, slowly, signal);
    await begun.opened;
    return { open: gate.open, ended };
  };
  const shipped = async (): Promise<number> => (await pool.query('SELECT * FROM shipped')).rowCount ?? 0;
  return { store, other, clock, run, ship, shipSlowly, shipped, ...helpers };
}

const fails = (client: PoolClient) => client.query('SELECT nowhere');
const killOwnConnection = (client: PoolClient) =>
  client.query('SELECT pg_terminate_backend(pg_backend_pid())');

/** A message of PostgreSQL's protocol: its type, its length with the length itself, and its content. */
function message(type: string, content: string): Buffer {
  const head = Buffer.alloc(5);
  head.write(type);
  head.writeInt32BE(Buffer.byteLength(content) + 4, 1);
  return Buffer.concat([head, Buffer.from(content)]);
}

const readyForQuery = message('Z', 'I');
const adminShutdown = message('E', 'SFATAL\0VFATAL\0C57P01\0Mterminating connection\0\0');

describe.skipIf(!(await hasPostgres()))('a store on PostgreSQL', () => {
  const makeStore = shareStores();
  describeStore('PostgreSQL', makeStore);

  describe('a transaction with an outbox event', () => {
    it.each<[string, (client: PoolClient) => Promise<unknown>, RegExp]>([
      ['what the merchant throws', () => Promise.reject(new Error('the warehouse is closed')), /closed/],
      ['a failure that was swallowed', (client) => fails(client).catch(() => {}), /rolled back/],
      ['the loss of its connection', (client) => killOwnConnection(client).catch(() => {}), /connection/i],
    ])('is rolled back by %s, can be run again, and then commits once', async (_what, fail, message) => {
      const { store, run, ship, shipped, runAll } = await openRun();
      const failing = store.transact(run, async (client) => {
        await ship(client);
        await fail(client);
      });
      await expect(failing).rejects.toThrow(message);
      expect(await shipped()).toBe(0);
      expect(await store.transact(run, ship)).toBeDefined();
      expect(await runAll()).toEqual(['order-1:1:reversed']);
      expect(await store.transact(run, ship)).toBeUndefined();
      expect(await shipped()).toBe(1);
    });

    it('is cut off by its signal, rolled back, and can be run again', async () => {
      const { store, run, ship, shipSlowly, shipped } = await openRun();
      const cut = new AbortController();
      const { ended } = await shipSlowly(cut.signal);
      cut.abort(new Error('took too long'));
      await expect(ended).rejects.toThrow('took too long');
      expect(await shipped()).toBe(0);
      expect([await store.transact(run, ship), await shipped()]).toEqual([{ nextAfterMs: 0 }, 1]);
    });

    it('commits once if two instances run it', async () => {
      const { store, other, run, ship, shipped } = await openRun();
      const both = await Promise.all([store.transact(run, ship), other.transact(run, ship)]);
      expect(both).toHaveLength(2);
      expect(both).toEqual(expect.arrayContaining([{ nextAfterMs: 0 }, undefined]));
      expect(await shipped()).toBe(1);
    });

    it('holds up nothing while it runs, not even its order, and lasts as long as its lease is renewed', async () => {
      const { store, other, clock, run, shipSlowly, add, claimNext } = await openRun();
      const { open, ended } = await shipSlowly();
      clock.advance(900);
      const renewal = { state: 'running', leaseMs: 1000 } as const;
      expect(await other.updateOutboxEvent(run, renewal)).toEqual({ nextAfterMs: 1000 });
      clock.advance(900);
      await add('order-1', 'unexpectedMoney');
      expect(await claimNext()).toBeUndefined();
      expect(await store.readStatus({ mostWaiting: 0 })).toMatchObject({ pendingOutboxEvents: 3 });
      open();
      expect(await ended).toEqual({ nextAfterMs: 0 });
      expect(await claimNext()).toMatchObject({ key: 'order-1:1:reversed' });
    });

    it('is rolled back when its process wakes up from a sleep, if another instance has taken over', async () => {
      const { other, clock, run, ship, shipSlowly, shipped } = await openRun();
      const { open, ended } = await shipSlowly();
      clock.advance(1000);
      const taken = await other.claimOutboxEvent({ leaseMs: 1000 });
      expect(taken).toMatchObject({ key: run.key, token: 2, wasLost: true });
      expect(taken && (await other.transact(taken, ship))).toEqual({ nextAfterMs: 0 });
      open();
      expect([await ended, await shipped()]).toEqual([undefined, 1]);
    });
  });

  describe('a store in PostgreSQL', () => {
    it('goes by the clock of the database', async () => {
      const { open, pool } = await createSchema();
      const store = open();
      await store.write(orderWrite({ dueAfterMs: 60_000, references: ['tc_1'] }));
      const { rows } = await pool.query(
        'SELECT abs(due_at - 60000 - extract(epoch FROM now()) * 1000) < 30000 AS is_right FROM transfer_checkout_records',
      );
      expect(rows).toEqual([{ is_right: true }]);
      const claim = { limit: 1, leaseMs: 60_000 };
      expect(await store.claimOrders(claim)).toEqual([]);
      await store.claimOrders({ reference: 'tc_1', leaseMs: 0 });
      expect(await store.claimOrders(claim)).toHaveLength(1);
      expect(await store.claimOrders(claim)).toEqual([]);
    });

    it.each([
      ['11 on its own pool', undefined, 11],
      ['six tenths of the connections that do not listen', 11, 6],
      ['one on any pool', 1, 1],
    ])('runs at most so many handlers at once: %s', async (_what, max, most) => {
      const pool = max === undefined ? undefined : new Pool({ max });
      const store = createPostgresStore(pool ? { pool } : { connectionString: postgresUrl });
      onTestFinished(() => store.close());
      expect(store.maxTransactions).toBe(most);
    });

    it('drops a connection that has stopped responding', async () => {
      const { schema, open } = await createSchema();
      const proxy = await createTcpProxy(postgresUrl);
      const pool = new Pool({ connectionString: proxy.url, max: 1, query_timeout: 500 });
      onTestFinished(() => pool.end());
      const store = createPostgresStore({ pool, schema });
      // On a slow machine a response may take as long as none.
      const found = () => store.find({ reference: 'tc_1' }).catch(() => 'no response');
      await open().write(orderWrite({ references: ['tc_1'] }));
      await expect.poll(found).toMatchObject({ version: 1 });
      proxy.freeze();
      await expect(store.write(orderWrite({ version: 1 }))).rejects.toThrow(/timeout/i);
      proxy.restore();
      await expect.poll(found).toMatchObject({ version: 1 });
    });
  });

  describe('the tables in PostgreSQL', () => {
    it('are made once when many instances begin at the same moment', async () => {
      const { open, pool } = await createSchema();
      const ids = Array.from({ length: 8 }, (_, index) => `order-${index}`);
      const inserted = await Promise.all(ids.map((id) => open().write(orderWrite({ id }))));
      expect(inserted).toEqual(ids.map(() => true));
      const { rows } = await pool.query('SELECT * FROM transfer_checkout_versions');
      expect(rows).toEqual([{ id: 1, version: 1 }]);
    });

    it('can be used by a role that may not make any', async () => {
      const { open, pool, schema, connectionString } = await createSchema();
      await open().prepare();
      const role = `${schema}_app`;
      await pool.query(`CREATE ROLE ${role} LOGIN`);
      onTestFinished(() => pool.query(`DROP OWNED BY ${role}; DROP ROLE ${role}`).then(() => {}));
      await pool.query(`GRANT USAGE ON SCHEMA ${schema} TO ${role}`);
      await pool.query(`GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ${schema} TO ${role}`);
      const url = new URL(connectionString);
      url.username = role;
      const store = createPostgresStore({ connectionString: String(url) });
      onTestFinished(() => store.close());
      expect(await store.write(orderWrite({ events: eventsOf('order-1', ['paid']) }))).toBe(true);
      expect(await store.claimOutboxEvent({ leaseMs: 1000 })).toBeDefined();
    });
  });

  it.each(['its own pool', 'the merchant’s pool'])(
    'replaces connections that end while they get ready, on %s',
    async (kind) => {
      const died = watchProcess();
      const { connectionString } = await createSchema();
      const proxy = await createTcpProxy(connectionString);
      const pool = new Pool({ connectionString: proxy.url });
      const own = kind === 'its own pool';
      const store = createPostgresStore(own ? { connectionString: proxy.url } : { pool });
      onTestFinished(() => store.close().then(() => pool.end()));
      /** By the simple protocol, and by the extended one. */
      const call = async () => {
        await store.claimOutboxEvent({ leaseMs: 1000 });
        await store.find({ reference: 'tc_1' });
      };
      await call();
      let ended = 0;
      proxy.endAfter(readyForQuery, () => {
        ended++;
        return adminShutdown;
      });
      while (ended < 5) await call().catch(() => {});
      proxy.restore();
      const isUp = () =>
        call().then(
          () => true,
          () => false,
        );
      await expect.poll(isUp).toBe(true);
      expect(died).toEqual([]);
    },
  );
});
