import type { Order } from '../../checkout/order/record.ts';
import { mostCountedEvents, type Store } from '../../checkout/ports/store.ts';
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
    probe: () => probe(database),
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

/** One row, which has no other use. */
async function probe({ sql, run }: Database): Promise<void> {
  await run({
    sql: `INSERT INTO ${sql.prefix}budget AS probe (id, version, state) VALUES (1, 1, '{}')
      ON CONFLICT (id) DO UPDATE SET version = probe.version + 1`,
  });
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
      (SELECT count(*) FROM ${counted('records', 'unpaid_since', 'unpaid_since IS NOT NULL', 'unpaid_since')}) AS unpaid_orders,
      (SELECT sum(open) FROM ${counted('outbox_queues', 'open', 'open > 0', 'due_at')}) AS pending,
      (SELECT count(*) FROM ${counted('outbox_events', 'since', "state = 'parked'", 'since')}) AS parked`,
  });
  const age = (since: unknown): number | null =>
    since === null ? null : Math.max(0, Number(row.now) - Number(since));
  return {
    openOrders: Number(row.unpaid_orders),
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
