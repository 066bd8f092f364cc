import { escapeLiteral, type Pool, type PoolClient } from 'pg';
import { CheckoutError } from '../../../src/contract/index.ts';
import { joinSignals, raceAbort } from '../../client/async/wait.ts';
import type { Database, Row, Run, SqlDialect, Statement } from '../sql/database.ts';

/** The key of an advisory lock, or its first half. */
const lockKey = "hashtext('transfer_checkout')";

/**
 * Creates the database of a store on a pool. Each statement is one round trip.
 *
 * @throws {CheckoutError} `invalid_options` for a schema that is not a plain name
 */
export function createPostgresDatabase(
  pool: Pool,
  options: { schema?: string; now?: () => number; close: () => Promise<void> },
): Database {
  return {
    sql: createDialect(options),
    run: (statement) => againAfterConflicts(() => runOn(pool)(statement)),
    transaction: (work) => againAfterConflicts(() => inTransaction(pool, (client) => work(runOn(client)))),
    close: options.close,
  };
}

function createDialect({ schema, now }: { schema?: string; now?: () => number }): SqlDialect {
  if (schema !== undefined && !/^[a-z_][a-z0-9_]*$/i.test(schema)) {
    throw new CheckoutError(
      'invalid_options',
      `schema must be a plain name, such as checkout, not ${schema}.`,
    );
  }
  return {
    prefix: schema === undefined ? 'transfer_checkout_' : `"${schema}".transfer_checkout_`,
    json: 'json',
    now: () =>
      now === undefined
        ? '(extract(epoch FROM statement_timestamp()) * 1000)::bigint'
        : `${Math.floor(now())}::bigint`,
    skipLocked: 'FOR UPDATE SKIP LOCKED',
    // By default, PostgreSQL would wait until a fifth of the rows has changed.
    updatedOften: (freePercent) =>
      ` WITH (fillfactor = ${100 - freePercent}, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 1000, autovacuum_analyze_scale_factor = 0.02)`,
    lockTables: `SELECT pg_advisory_xact_lock(${lockKey})`,
    // Not to_regclass, which may return what was true before the wait for the lock.
    findVersions: `SELECT 1 FROM pg_tables WHERE tablename = 'transfer_checkout_versions' AND schemaname = ${schema === undefined ? 'current_schema()' : `'${schema}'`}`,
  };
}

export const runOn =
  (target: Pick<PoolClient, 'query'>): Run =>
  async (statement) => {
    const text = toText(statement);
    const { lock, values = [] } = statement;
    if (lock === undefined) {
      return (await target.query(text.replace(/\?(\d+)/g, '$$$1'), [...values])).rows;
    }
    const take = lock.mode === 'alone' ? 'pg_advisory_xact_lock' : 'pg_advisory_xact_lock_shared';
    // Three statements are one round trip, and one transaction, but have no parameters. The last one sees all that was before the lock.
    const statements = [
      'SET TRANSACTION ISOLATION LEVEL READ COMMITTED',
      `SELECT ${take}(${lockKey}, '${lock.table}'::regclass::oid::integer)`,
      text.replace(/\?(\d+)/g, (_, place) => escapeLiteral(String(values[Number(place) - 1]))),
    ];
    const results = (await target.query(statements.join(';'))) as unknown as { rows: Row[] }[];
    return results.at(-1)?.rows ?? [];
  };

function toText({ sql, parts = {} }: Statement): string {
  const named = Object.entries(parts).map(([name, part]) => `${name} AS MATERIALIZED (${part})`);
  return named.length === 0 ? sql : `WITH ${named.join(', ')} ${sql}`;
}

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

const failedInside =
  'The transaction was rolled back, because a statement in it had failed; throw its error instead of continuing.';

/** Runs `work` in one transaction. When `signal` aborts, or the connection is lost, it is rolled back and rejects at once. */
export async function inTransaction<T>(
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
