import { Pool, type PoolClient } from 'pg';
import { CheckoutError } from '../../src/contract/index.ts';
import { joinSignals, raceAbort } from '../async/wait.ts';
import type { OutboxEventRun } from './outbox-event.ts';
import { surviveLostConnections } from './postgres-pool.ts';
import type { Database, Query } from './sql/database.ts';
import { finishOutboxEvent } from './sql/sql-outbox.ts';
import { createSqlStore } from './sql/sql-store.ts';
import type { Store } from './store.ts';

export type PostgresStoreOptions = {
  /** An existing schema for the tables. Default: the first of the connection's `search_path`. */
  schema?: string;
  /** Replaces the database's clock, in milliseconds since the epoch; for tests. */
  now?: () => number;
} & (
  | {
      /** `postgres://user:password@host/database`, for a pool that the store owns: a statement fails after 30 seconds. */
      connectionString: string;
    }
  | {
      /**
       * Your own pool, which the store does not close. The store listens to the errors of its connections, so that a lost
       * one does not end the process; add your own `error` listener to learn about it. Each running handler holds a
       * connection for its transaction; together they take at most six tenths of the pool's `max`: 6 of 10. The others are
       * for the store, and for handlers that use the pool besides their `transaction`. `max` should be 2 or more.
       */
      pool: Pool;
    }
);

export type PostgresStore = Omit<Store, 'transact' | 'maxTransactions'> & {
  /**
   * Runs `work` in the transaction that marks the outbox event as done: both are committed, or neither. An error of `work`
   * rolls both back. `work` must not end the transaction itself. Returns false, and runs nothing, if another instance has
   * taken over the event, or it is done. When `signal` aborts, the connection is closed, which rolls back, even while `work`
   * runs. Rejects at once if the connection is lost.
   */
  transact: (
    run: OutboxEventRun,
    work: (client: PoolClient) => Promise<void>,
    signal?: AbortSignal,
  ) => Promise<boolean>;
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
 * @throws {CheckoutError} `invalid_options` for a schema that is not a plain name
 */
export function createPostgresStore(options: PostgresStoreOptions): PostgresStore {
  const { pool, close } = openPool(options);
  const sql = createDialect(options);
  const database: Database = {
    sql,
    query: (...statement) => againAfterConflicts(() => queryOn(pool)(...statement)),
    transaction: (work) => againAfterConflicts(() => inTransaction(pool, (client) => work(queryOn(client)))),
    close,
  };
  const store = createSqlStore(database);
  return {
    ...store,
    maxTransactions: Math.max(1, Math.floor(pool.options.max * transactionShare)),
    async transact(run, work, signal) {
      await store.migrate();
      const finishAndWork = async (client: PoolClient): Promise<boolean> => {
        // First, because it locks the event: another instance waits here, and then finds the event done.
        if (!(await finishOutboxEvent(queryOn(client), sql, run))) return false;
        await work(client);
        return true;
      };
      return inTransaction(pool, finishAndWork, signal);
    },
  };
}

function openPool(options: PostgresStoreOptions): { pool: Pool; close: () => Promise<void> } {
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

function createDialect({ schema, now }: PostgresStoreOptions): Database['sql'] {
  if (schema !== undefined && !/^[a-z_][a-z0-9_]*$/i.test(schema)) {
    throw new CheckoutError(
      'invalid_options',
      `schema must be a plain name, such as checkout, not ${schema}.`,
    );
  }
  return {
    prefix: schema === undefined ? 'transfer_checkout_' : `"${schema}".transfer_checkout_`,
    json: 'jsonb',
    now: () =>
      now === undefined
        ? '(extract(epoch FROM statement_timestamp()) * 1000)::bigint'
        : `${Math.floor(now())}::bigint`,
    forUpdate: 'FOR UPDATE',
    forUpdateSkipLocked: 'FOR UPDATE SKIP LOCKED',
    lockTables: "SELECT pg_advisory_xact_lock(hashtext('transfer_checkout'))",
    // Not to_regclass, which may return what was true before the wait for the lock.
    findVersions: `SELECT 1 FROM pg_tables WHERE tablename = 'transfer_checkout_versions' AND schemaname = ${schema === undefined ? 'current_schema()' : `'${schema}'`}`,
  };
}

const queryOn =
  (target: Pick<PoolClient, 'query'>): Query =>
  async (sql, values = []) =>
    (await target.query(sql.replace(/\?(\d+)/g, '$$$1'), [...values])).rows;

/** serialization_failure, if the database's default isolation is stricter than ours, and deadlock_detected. */
const conflicts: ReadonlySet<unknown> = new Set(['40001', '40P01']);

/** Each conflict is another transaction's progress; this many in a row are a fault. */
const maxConflicts = 20;

async function againAfterConflicts<T>(work: () => Promise<T>): Promise<T> {
  for (let met = 1; ; met++) {
    try {
      return await work();
    } catch (error) {
      if (met === maxConflicts || !conflicts.has((error as { code?: unknown }).code)) throw error;
    }
  }
}

const failedInside =
  'The transaction was rolled back, because a statement in it had failed; throw its error instead of continuing.';

async function inTransaction<T>(
  pool: Pool,
  work: (client: PoolClient) => Promise<T>,
  signal: AbortSignal = new AbortController().signal,
): Promise<T> {
  const client = await pool.connect();
  // Work that runs no statement would not notice the loss, while another instance does the same work.
  const lost = new AbortController();
  const onError = (error: Error): void => lost.abort(error);
  client.on('error', onError);
  const over = joinSignals(signal, lost.signal);
  let fault: Error | undefined;
  try {
    await client.query('BEGIN ISOLATION LEVEL READ COMMITTED');
    const result = await raceAbort(work(client), over.signal);
    const { command } = await client.query('COMMIT');
    if (command !== 'COMMIT') throw new Error(failedInside);
    return result;
  } catch (error) {
    // A ROLLBACK would wait for the running statement of the work.
    if (over.signal.aborted) fault = new Error('The transaction was cut off.', { cause: error });
    else
      await client.query('ROLLBACK').catch((cause: Error) => {
        fault = cause;
      });
    throw error;
  } finally {
    over.release();
    if (fault === undefined) client.off('error', onError);
    // With a fault the pool closes the connection, and PostgreSQL rolls back.
    client.release(fault);
  }
}
