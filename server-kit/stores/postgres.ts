import { Pool, type PoolClient } from 'pg';
import { CheckoutError } from '../../src/contract/index.ts';
import { joinSignals, raceAbort } from '../async/wait.ts';
import type { Database, Query } from './database.ts';
import type { OutboxEventRun } from './outbox-event.ts';
import { surviveLostConnections } from './postgres-pool.ts';
import { createSqlStore } from './sql.ts';
import { finishOutboxEvent } from './sql-outbox.ts';
import type { Store } from './store.ts';

export type PostgresStoreOptions = {
  /** A schema that exists, for the tables. Default: the first of the connection's `search_path`. */
  schema?: string;
  /** Replaces the database's clock, in milliseconds since the epoch; for tests. */
  now?: () => number;
} & (
  | {
      /** `postgres://user:password@host/database`, for a pool of the store's own: a statement fails after 30 seconds. */
      connectionString: string;
    }
  | {
      /**
       * A pool of your own, which the store does not close. The store listens to the errors of its connections, so that a
       * lost one does not end the process; listen to the pool's `error` too, if you want to hear of it.
       * Each handler that runs holds a connection for its transaction, and they take six tenths of the pool's `max` at most:
       * 6 of 10. The others are for the store, and for handlers that use the pool too and not only their `transaction`. Let
       * `max` be 2 or more.
       */
      pool: Pool;
    }
);

export type PostgresStore = Omit<Store, 'transact' | 'maxTransactions'> & {
  /**
   * Runs `work` in the transaction that marks the effect as done: what it writes with `client` is committed exactly
   * when the effect is. What it throws rolls both back. It must not end the transaction itself. Gives false, and runs
   * nothing, when another instance has taken the effect over or it is done. When `signal` aborts, it is rolled back by
   * closing its connection, also while `work` goes on. Rejects at once when the connection is lost.
   */
  transact: (
    run: OutboxEventRun,
    work: (client: PoolClient) => Promise<void>,
    signal?: AbortSignal,
  ) => Promise<boolean>;
  maxTransactions: number;
};

/** Connections of a pool of the store's own. They are opened when they are needed, and closed after ten idle seconds. */
const ownConnections = 20;

/** Of the connections, as many may hold transactions of handlers. One at least: such a pool is too small, and works. */
const transactionShare = 0.6;

const connectionTimeoutMs = 10_000;
const queryTimeoutMs = 30_000;

/**
 * A store in PostgreSQL, through `pg`: for as many instances as you like. The database's clock decides what is due.
 *
 * @throws {CheckoutError} `invalid_options` for a schema that is no plain name
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
        // First, because it locks the effect: another instance waits here, and then finds it done.
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
    // Not through to_regclass, which may still answer what was true before a wait for the lock.
    findVersions: `SELECT 1 FROM pg_tables WHERE tablename = 'transfer_checkout_versions' AND schemaname = ${schema === undefined ? 'current_schema()' : `'${schema}'`}`,
  };
}

const queryOn =
  (target: Pick<PoolClient, 'query'>): Query =>
  async (sql, values = []) =>
    (await target.query(sql.replace(/\?(\d+)/g, '$$$1'), [...values])).rows;

/** serialization_failure, where the database's default isolation is stricter than ours, and deadlock_detected. */
const conflicts: ReadonlySet<unknown> = new Set(['40001', '40P01']);

/** Each conflict is somebody else's progress; so many in a row are a fault. */
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
  'The transaction was rolled back, because a statement in it had failed; let its error be thrown instead of going on.';

async function inTransaction<T>(
  pool: Pool,
  work: (client: PoolClient) => Promise<T>,
  signal: AbortSignal = new AbortController().signal,
): Promise<T> {
  const client = await pool.connect();
  // Work that runs no statement would not notice, while another instance does the same.
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
    // A ROLLBACK would wait for whatever the work is doing on the connection.
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
