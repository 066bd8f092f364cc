import { escapeLiteral, type Pool, type PoolClient } from 'pg';
import { joinSignals, raceAbort } from '../../engine/wait.ts';
import {
  type Database,
  type Row,
  type Run,
  type SqlDialect,
  type Statement,
  toText,
} from '../sql/database.ts';

export type PostgresDatabaseOptions = {
  /** A plain name: it is not escaped. */
  schema: string | undefined;
  now: (() => number) | undefined;
  close: () => Promise<void>;
};

/**
 * Creates the database of a store on a pool. Each statement is one round trip.
 */
export function createPostgresDatabase(pool: Pool, { close, ...options }: PostgresDatabaseOptions): Database {
  return {
    sql: createDialect(options),
    run: (statement) => againAfterConflicts(() => runOn(pool)(statement)),
    transaction: (work) =>
      againAfterConflicts(async () => {
        const { result } = await inTransaction(pool, { work: (client) => work(runOn(client)) });
        return result;
      }),
    close,
  };
}

function createDialect({ schema, now }: Omit<PostgresDatabaseOptions, 'close'>): SqlDialect {
  return {
    prefix: schema === undefined ? 'transfer_checkout_' : `"${schema}".transfer_checkout_`,
    json: 'json',
    now: () =>
      now === undefined
        ? '(extract(epoch FROM statement_timestamp()) * 1000)::bigint'
        : `${Math.floor(now())}::bigint`,
    skipLocked: 'FOR UPDATE SKIP LOCKED',
    updatedOften,
    lockTables: "SELECT pg_advisory_xact_lock(hashtext('transfer_checkout'))",
    // Not to_regclass, which may return what was true before the wait for the lock.
    findVersions: `SELECT 1 FROM pg_tables WHERE tablename = 'transfer_checkout_versions' AND schemaname = ${schema === undefined ? 'current_schema()' : `'${schema}'`}`,
  };
}

const runOn =
  (target: Pick<PoolClient, 'query'>): Run =>
  async (statement) => {
    const text = toText(statement).replace(/\?(\d+)/g, '$$$1');
    return (await target.query(text, [...(statement.values ?? [])])).rows;
  };

/**
 * - serialization_failure, if the database's default isolation is stricter than ours
 * - deadlock_detected
 * - unique_violation: another transaction has just added the same reference; the second try sees that
 */
const conflicts: ReadonlySet<unknown> = new Set(['40001', '40P01', '23505']);

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

type TransactionOptions<T> = {
  work: (client: PoolClient) => Promise<T>;
  /** Runs after the work, in one message with the `COMMIT`: what it locks never waits for this process. */
  last?: Statement;
  /** When it aborts, the transaction is rolled back. */
  signal?: AbortSignal;
};

/** Runs `work` in one transaction, and returns its result and the rows of `last`. If the connection is lost, it rejects at once. */
export async function inTransaction<T>(
  pool: Pool,
  { work, last, signal = new AbortController().signal }: TransactionOptions<T>,
): Promise<{ result: T; rows: Row[] }> {
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
    return { result, rows: await commit(client, last) };
  } catch (error) {
    // A ROLLBACK would wait for the running statement of the work.
    if (over.signal.aborted) fault = new Error('The transaction was cut off.', { cause: error });
    else
      await client.query('ROLLBACK').catch((cause: Error) => {
        fault = cause;
      });
    throw error;
  } finally {
    over.end();
    if (fault === undefined) client.off('error', onError);
    // With a fault the pool closes the connection, and PostgreSQL rolls back.
    client.release(fault);
  }
}

const failedInside =
  'The transaction was rolled back, because a statement in it had failed; throw its error instead of continuing.';

/** After the failure of a statement, PostgreSQL refuses the next one, and takes a `COMMIT` for a `ROLLBACK`. */
async function commit(client: PoolClient, last: Statement | undefined): Promise<Row[]> {
  const text = last === undefined ? 'COMMIT' : `${withValues(last)};COMMIT`;
  const results = await client.query(text).catch((cause: Error & { code?: string }) => {
    throw cause.code === '25P02' ? new Error(failedInside, { cause }) : cause;
  });
  const [committed, ended] = [results].flat().reverse();
  if (committed?.command !== 'COMMIT') throw new Error(failedInside);
  return ended?.rows ?? [];
}

/** Several statements in one message can have no parameters. */
const withValues = (statement: Statement): string =>
  toText(statement).replace(/\?(\d+)/g, (_, place) =>
    escapeLiteral(String(statement.values?.[Number(place) - 1])),
  );

/**
 * Returns the settings of a table whose rows change often, for the end of its CREATE TABLE. By default, PostgreSQL would leave no room for a
 * changed row on its page, and wait until a fifth of the rows has changed before it cleans up.
 */
const updatedOften = (freePercent: number): string =>
  ` WITH (fillfactor = ${100 - freePercent}, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 1000, autovacuum_analyze_scale_factor = 0.02)`;
