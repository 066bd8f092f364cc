import { CheckoutError } from '../../../src/contract/index.ts';
import type { Order } from '../../checkout/order/order.ts';
import { type BudgetState, mostCountedEvents, type Store } from '../../checkout/ports/store.ts';
import type { Database } from './database.ts';
import { migrateTables } from './migrations.ts';
import { countOutcomes, createSqlOutbox } from './sql-outbox.ts';
import { createSqlRecords, storedColumns, toStored } from './sql-records.ts';

/** Creates a store on a database. Its tables are migrated before their first use. */
export function createSqlStore(unmigrated: Database): Store {
  const migrate = onceDone(() => migrateTables(unmigrated));
  const database: Database = {
    ...unmigrated,
    run: (statement) => migrate().then(() => unmigrated.run(statement)),
  };
  return {
    isVolatile: false,
    migrate,
    close: unmigrated.close,
    ...createSqlRecords(database),
    ...createSqlOutbox(database),
    ...createBudget(database),
    measure: () => measure(database),
    findOldestUnpaid: () => findOldestUnpaid(database),
    countOutcomes: () => countOutcomes(database),
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
function createBudget({ sql, run }: Database): Pick<Store, 'updateBudget'> {
  const table = `${sql.prefix}budget`;
  let last: Promise<unknown> = Promise.resolve();

  const updateBudget: Store['updateBudget'] = async (change) => {
    for (let conflicts = 0; conflicts < maxBudgetConflicts; conflicts++) {
      const [row] = await run({
        sql: `SELECT ${sql.now()} AS now, (SELECT state FROM ${table}) AS state, (SELECT version FROM ${table}) AS version`,
      });
      const version = Number(row?.version ?? 0);
      const stored = row?.state == null ? undefined : (JSON.parse(String(row.state)) as BudgetState);
      const [state, result] = change(stored, Number(row?.now));
      const written = await run({
        sql: `INSERT INTO ${table} AS budget (id, version, state) VALUES (1, ?1, ?2)
          ON CONFLICT (id) DO UPDATE SET version = excluded.version, state = excluded.state
          WHERE budget.version = ?3 RETURNING version`,
        values: [version + 1, JSON.stringify(state), version],
      });
      if (written.length > 0) return result;
    }
    throw new CheckoutError('internal_error', 'The store did not take the new state of the budget.');
  };

  return {
    // One at a time in this process, so that it conflicts only with other processes.
    updateBudget(change) {
      const result = last.then(() => updateBudget(change));
      last = result.catch(() => {});
      return result;
    },
  };
}

/** Each number is read from the end of an index, except those of the events, which count some entries of one. */
async function measure({ sql, run }: Database): ReturnType<Store['measure']> {
  const first = (column: string, condition = ''): string =>
    `(SELECT min(${column}) FROM ${sql.prefix}records WHERE ${condition}${column} IS NOT NULL)`;
  // Forces the order of an index.
  const counted = (table: string, column: string, condition: string, order: string): string =>
    `(SELECT ${column} FROM ${sql.prefix}${table} WHERE ${condition} ORDER BY ${order} LIMIT ${mostCountedEvents}) AS counted`;
  const [row = {}] = await run({
    sql: `SELECT ${sql.now()} AS now, ${first('unpaid_since')} AS unpaid, ${first('confirming_since')} AS confirming,
      ${first('due_at', 'woken = 0 AND ')} AS due, ${first('due_at', 'woken = 1 AND ')} AS woken,
      (SELECT sum(open) FROM ${counted('outbox_queues', 'open', 'open > 0', 'due_at')}) AS pending,
      (SELECT count(*) FROM ${counted('outbox_events', 'since', "state = 'parked'", 'since')}) AS parked`,
  });
  const age = (since: unknown): number | null =>
    since === null ? null : Math.max(0, Number(row.now) - Number(since));
  return {
    oldestUnpaidMs: age(row.unpaid),
    oldestConfirmingMs: age(row.confirming),
    checkLagMs: Math.max(age(row.due) ?? 0, age(row.woken) ?? 0),
    pendingOutboxEvents: Math.min(Number(row.pending), mostCountedEvents),
    parkedEvents: Number(row.parked),
  };
}

async function findOldestUnpaid({ sql, run }: Database): Promise<Order | undefined> {
  const [row] = await run({
    sql: `SELECT ${storedColumns(sql)} FROM ${sql.prefix}records
      WHERE unpaid_since IS NOT NULL ORDER BY unpaid_since LIMIT 1`,
  });
  return row && toStored<Order>(row).record;
}
