import { Pool, type PoolClient } from 'pg';
import * as v from 'valibot';
import { aFunction, parseOptions } from '../../core/options.ts';
import { waitWithTimer } from '../../core/time.ts';
import { referencesOf } from '../../engine/order/record.ts';
import type { EndedRun, OutboxEventRun } from '../../engine/store.ts';
import { createSqlStore, type SqlStore } from '../sql/store.ts';
import { endOf, toEndedRun } from '../sql/update-outbox-event.ts';
import { createPostgresDatabase, inTransaction } from './database.ts';
import { createNotifications, leastConnections } from './listen.ts';
import { aPool, surviveLostConnections } from './pool.ts';

const commonOptions = {
  /** An existing schema for the tables. Default: the first of the connection's `search_path`. */
  schema: v.optional(
    v.pipe(v.string(), v.regex(/^[a-z_][a-z0-9_]*$/i, 'must be a plain name, such as checkout')),
  ),
  /** Replaces the database's clock, in milliseconds since the epoch; for tests. */
  now: v.optional(aFunction<() => number>()),
};
const OwnPool = v.strictObject({
  ...commonOptions,
  /** `postgres://user:password@host/database`, for a pool that the store owns: a statement fails after 30 seconds. */
  connectionString: v.string('must be an address, such as postgres://user:password@host/database'),
});
const YourPool = v.strictObject({
  ...commonOptions,
  /**
   * Your own pool, which the store does not close: close the store, or stop the checkout, before the pool. The store listens to the errors of its connections, so that a lost
   * one does not end the process; add your own `error` listener to be notified. Each running handler holds a
   * connection for its transaction; together they take at most six tenths of the pool's `max`. One connection listens to
   * the other instances, if `max` is 3 or more; it must reach PostgreSQL directly, not through a pooler in transaction mode. The others are
   * for the store, and for handlers that use the pool besides their `transaction`.
   */
  pool: aPool,
});
const PostgresStoreOptions = v.lazy((options) => (Object(options).pool === undefined ? OwnPool : YourPool));
export type PostgresStoreOptions = v.InferInput<typeof PostgresStoreOptions>;

/** A store whose `transact` runs its work on a connection of `pg`. The work must not end the transaction itself. */
export type PostgresStore = Omit<SqlStore, 'transact' | 'maxTransactions'> & {
  transact: (
    run: OutboxEventRun,
    work: (client: PoolClient) => Promise<void>,
    signal?: AbortSignal,
  ) => Promise<EndedRun | undefined>;
  maxTransactions: number;
};

/** The size of a pool that the store owns. Connections are opened when needed, and closed after ten idle seconds. */
const ownConnections = 20;

/** The share of the connections that may hold transactions of handlers; at least one. */
const transactionShare = 0.6;

const connectionTimeoutMs = 10_000;
const queryTimeoutMs = 30_000;

/**
 * Creates a store in PostgreSQL, through `pg`, for any number of instances. The database's clock decides what is due.
 *
 * @throws {CheckoutError} `invalid_options`, naming each invalid option
 */
export function createPostgresStore(options: PostgresStoreOptions): PostgresStore {
  const { schema, now, ...connection } = parseOptions(PostgresStoreOptions, options, 'createPostgresStore');
  const { pool, close } = openPool(connection);
  const notifications = createNotifications({ pool, schema, wait: waitWithTimer });
  const database = createPostgresDatabase(pool, { schema, now, close });
  const listening = pool.options.max < leastConnections ? 0 : 1;
  const { sql } = database;
  const store = createSqlStore(database);
  return {
    ...store,
    async write(change) {
      const isWritten = await store.write(change);
      // The first two writes of an order open its first payment, for which no page waits yet.
      if (isWritten && change.version > 1) notifications.publish(referencesOf(change.record));
      return isWritten;
    },
    subscribe: notifications.subscribe,
    async close() {
      notifications.close();
      await store.close();
    },
    maxTransactions: Math.max(1, Math.floor((pool.options.max - listening) * transactionShare)),
    async transact(run, work, signal) {
      const last = { ...endOf(sql, run, { state: 'done' }), sql: failIfLost };
      try {
        const { rows } = await inTransaction(pool, { work, last, ...(signal && { signal }) });
        return rows[0] && toEndedRun(rows[0]);
      } catch (error) {
        if (error instanceof Error && error.message.includes(lostRun)) return undefined;
        throw error;
      }
    },
  };
}

/** A text that is not a number, and is part of PostgreSQL's message about that. */
const lostRun = 'the run of this outbox event was lost';

/** Reads how the run has ended, and makes the transaction fail if it was lost: a `COMMIT` in the same message cannot depend on that. */
const failIfLost = `SELECT (SELECT next_ms FROM moved) AS next_ms,
  CAST((SELECT CASE count(*) WHEN 1 THEN '1' ELSE '${lostRun}' END FROM moved) AS integer) AS one`;

function openPool(options: { pool: Pool } | { connectionString: string }): {
  pool: Pool;
  close: () => Promise<void>;
} {
  if ('pool' in options) {
    surviveLostConnections(options.pool);
    return { pool: options.pool, close: async () => {} };
  }
  const { connectionString } = options;
  const pool = new Pool({
    connectionString,
    max: ownConnections,
    connectionTimeoutMillis: connectionTimeoutMs,
    query_timeout: queryTimeoutMs,
  });
  surviveLostConnections(pool);
  return { pool, close: () => pool.end() };
}
