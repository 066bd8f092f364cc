import { lateConfirmationMs } from '../../engine/order/money.ts';
import type { Order } from '../../engine/order/record.ts';
import {
  mostCounted,
  type Store,
  type StoreMeasures,
  type StoreStatus,
  type WaitingOutboxEvent,
} from '../../engine/store.ts';
import { toOutboxEvent } from './claim-outbox-event.ts';
import type { Database } from './database.ts';

export const readStatusWith =
  (database: Database): Store['readStatus'] =>
  async ({ mostWaiting }) => {
    const [measures, outcomes, waiting, needingPerson] = await Promise.all([
      measure(database),
      countOutcomes(database),
      mostWaiting === 0 ? [] : listWaiting(database, mostWaiting),
      mostWaiting === 0 ? [] : listNeedingPerson(database, mostWaiting),
    ]);
    return { ...measures, outcomes, waiting, needingPerson };
  };

/** Each number is read from the end of an index, except those of the events, which count some entries of one. */
async function measure({ sql, run }: Database): Promise<StoreMeasures & Pick<StoreStatus, 'oldestUnpaid'>> {
  const first = (column: string, condition = ''): string =>
    `(SELECT min(${column}) FROM ${sql.prefix}records WHERE ${condition}${column} IS NOT NULL)`;
  // Forces the order of an index.
  const counted = (table: string, column: string, condition: string, order: string): string =>
    `(SELECT ${column} FROM ${sql.prefix}${table} WHERE ${condition} ORDER BY ${order} LIMIT ${mostCounted}) AS counted`;
  const [row = {}] = await run({
    sql: `SELECT ${sql.now()} AS now, ${first('unpaid_since')} AS unpaid, ${first('confirming_since')} AS confirming,
      ${first('due_at', 'woken = 0 AND ')} AS due, ${first('due_at', 'woken = 1 AND ')} AS woken,
      (SELECT CAST(record AS text) FROM ${sql.prefix}records WHERE unpaid_since IS NOT NULL ORDER BY unpaid_since LIMIT 1) AS record,
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
    pendingOutboxEvents: Math.min(Number(row.pending), mostCounted),
    parkedEvents: Number(row.parked),
    oldestUnpaid: JSON.parse(String(row.record)),
  };
}

async function countOutcomes({ sql, run }: Database): Promise<StoreStatus['outcomes']> {
  const rows = await run({
    sql: `SELECT outcome, sum(number) AS number FROM ${sql.prefix}outcome_counts GROUP BY outcome`,
  });
  return Object.fromEntries(rows.map(({ outcome, number }) => [outcome, Number(number)]));
}

async function listWaiting({ sql, run }: Database, limit: number): Promise<WaitingOutboxEvent[]> {
  const rows = await run({
    sql: `SELECT e.*, CAST(r.record AS text) AS record
      FROM ${sql.prefix}outbox_events AS e LEFT JOIN ${sql.prefix}records AS r ON r.id = e.record_id
      WHERE e.state = 'parked' OR e.failure IS NOT NULL ORDER BY coalesce(e.since, 0), e.key LIMIT ?1`,
    values: [limit],
  });
  return rows.map((row) => ({
    ...toOutboxEvent(row),
    record: JSON.parse(String(row.record)),
    isParked: row.state === 'parked',
  }));
}

async function listNeedingPerson(
  { sql, run }: Database,
  limit: number,
): Promise<StoreStatus['needingPerson']> {
  const now = sql.now();
  const select = (since: string, condition: string): string =>
    `SELECT CAST(record AS text) AS record, ${since} AS since FROM ${sql.prefix}records WHERE ${condition}`;
  const rows = await run({
    sql: `SELECT record, ${now} AS now, since FROM (
        ${select('person_since', 'person_since IS NOT NULL')} UNION ALL
        ${select('confirming_since', `person_since IS NULL AND confirming_since <= ${now} - ${lateConfirmationMs}`)}
      ) AS orders ORDER BY since LIMIT ?1`,
    values: [limit],
  });
  return rows.map((row) => ({
    record: JSON.parse(String(row.record)) as Order,
    sinceMs: Math.max(0, Number(row.now) - Number(row.since)),
  }));
}
