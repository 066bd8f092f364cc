import { CheckoutError } from '../../../src/contract/index.ts';
import { noOutcomes, type OutboxOutcome } from '../outbox-event.ts';
import type { BudgetState, OutcomeCounts, Store } from '../store.ts';
import type { Database } from './database.ts';
import { migrateTables } from './migrations.ts';
import { createSqlOutbox } from './sql-outbox.ts';
import { createSqlPayments, recordText, toRecord } from './sql-payments.ts';
import { purge } from './sql-purge.ts';

/** Creates a store on a database. Its tables are migrated before their first use. */
export function createSqlStore(unmigrated: Database): Store {
  const migrate = onceDone(() => migrateTables(unmigrated));
  const { close } = unmigrated;
  const database: Database = {
    ...unmigrated,
    query: (...statement) => migrate().then(() => unmigrated.query(...statement)),
    transaction: (work) => migrate().then(() => unmigrated.transaction(work)),
  };
  return {
    isVolatile: false,
    migrate,
    close,
    ...createSqlPayments(database),
    ...createSqlOutbox(database),
    ...createBudget(database),
    measure: () => measure(database),
    findOldestUnpaid: () => findOldestUnpaid(database),
    countOutcomes: () => countOutcomes(database),
    purge: (olderThanMs) => purge(database, olderThanMs),
  };
}

/** Runs `work` once for all callers; the next call after a failure runs it again. */
function onceDone(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  return () => {
    running ??= work().catch((error: unknown) => {
      running = undefined;
      throw error;
    });
    return running;
  };
}

/** Each conflict is another instance's change; this many in a row are a fault. */
const maxBudgetConflicts = 100;

/** Creates the shared budget: one row, changed by compare-and-set, because a lock would cost two more statements. */
function createBudget({ sql, query }: Database): Pick<Store, 'updateBudget'> {
  const table = `${sql.prefix}budget`;
  let last: Promise<unknown> = Promise.resolve();

  const updateBudget: Store['updateBudget'] = async (change) => {
    for (let conflicts = 0; conflicts < maxBudgetConflicts; conflicts++) {
      const [row] = await query(
        `SELECT ${sql.now()} AS now, (SELECT state FROM ${table}) AS state, (SELECT version FROM ${table}) AS version`,
      );
      const version = Number(row?.version ?? 0);
      const stored = row?.state == null ? undefined : (JSON.parse(String(row.state)) as BudgetState);
      const [state, result] = change(stored, Number(row?.now));
      const written = await query(
        `INSERT INTO ${table} AS budget (id, second, taken, version, state) VALUES (1, 0, 0, ?1, ?2)
        ON CONFLICT (id) DO UPDATE SET version = excluded.version, state = excluded.state
        WHERE budget.version = ?3 RETURNING version`,
        [version + 1, JSON.stringify(state), version],
      );
      if (written.length > 0) return result;
    }
    throw new CheckoutError('internal_error', 'The store did not take the new state of the budget.');
  };

  return {
    // One at a time in this process, so that it conflicts only with other processes.
    updateBudget(change) {
      const updated = last.then(() => updateBudget(change));
      last = updated.catch(() => {});
      return updated;
    },
  };
}

async function measure({ sql, query }: Database): ReturnType<Store['measure']> {
  const { prefix } = sql;
  const [row] = await query(
    `SELECT ${sql.now()} - (SELECT min(created_at) FROM ${prefix}payments WHERE outcome = 'pending') AS oldest,
      ${sql.now()} - (SELECT min(confirming_at) FROM ${prefix}payments WHERE confirming_at IS NOT NULL) AS confirming,
      ${sql.now()} - (SELECT min(due_at) FROM ${prefix}payments WHERE due_at IS NOT NULL) AS lag,
      (SELECT count(*) FROM ${prefix}effects WHERE state IN ('waiting', 'running')) AS waiting,
      (SELECT count(*) FROM ${prefix}effects WHERE state = 'setAside') AS set_aside`,
  );
  return {
    oldestUnpaidMs: row?.oldest == null ? null : Number(row.oldest),
    oldestConfirmingMs: row?.confirming == null ? null : Number(row.confirming),
    checkLagMs: Math.max(0, Number(row?.lag ?? 0)),
    pendingOutboxEvents: Number(row?.waiting),
    deadLetters: Number(row?.set_aside),
  };
}

async function findOldestUnpaid({ sql, query }: Database): ReturnType<Store['findOldestUnpaid']> {
  const [row] = await query(
    `SELECT ${recordText} FROM ${sql.prefix}payments WHERE outcome = 'pending' ORDER BY created_at LIMIT 1`,
  );
  return row && toRecord(row);
}

/** All times in a record are ISO 8601 in UTC with the same number of digits, so that they compare as text. */
const isLate = `coalesce(record ->> 'outcomeAt', record -> 'observed' ->> 'updatedAt') > (record -> 'opened' ->> 'expiresAt')`;

async function countOutcomes({ sql, query }: Database): Promise<OutcomeCounts> {
  const { prefix } = sql;
  const rows = await query(
    `SELECT outcome, count(*) AS number FROM ${prefix}effects WHERE state <> 'withdrawn' GROUP BY outcome
    UNION ALL SELECT 'late', count(*) FROM ${prefix}payments
      WHERE outcome = 'paid' AND record ->> 'isSecondPayment' IS NULL AND ${isLate}`,
  );
  const counts: OutcomeCounts = { ...noOutcomes(), late: 0 };
  for (const { outcome, number } of rows) counts[outcome as OutboxOutcome | 'late'] = Number(number);
  return counts;
}
