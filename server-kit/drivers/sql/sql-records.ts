import type { Order } from '../../checkout/order/record.ts';
import type { DueRecord, RecordWrite, Reschedule, Store, Stored } from '../../checkout/ports/store.ts';
import { bindValues, type Database, type Row, type SqlDialect, type Statement, whole } from './database.ts';
import { addEvents } from './sql-outbox.ts';

/** Creates the records of a store on a database. Each method is one statement. */
export function createSqlRecords({
  sql,
  run,
}: Database): Pick<Store, 'read' | 'write' | 'reschedule' | 'claimDue' | 'find' | 'wake'> {
  return {
    async read(id) {
      const [row] = await run({
        sql: `SELECT ${storedColumns(sql)} FROM (SELECT 1) AS one LEFT JOIN ${records(sql)} ON id = ?1`,
        values: [id],
      });
      return toStored<Order | null>(row ?? {});
    },
    write: async (change) => (await run(writeOf(sql, change))).length > 0,
    async reschedule(change) {
      await run(rescheduleOf(sql, change));
    },
    claimDue: async (options) => (await run(claimOf(sql, options))).map(toDue),
    async find(reference) {
      const [row] = await run({
        sql: `SELECT ${storedColumns(sql)} FROM ${references(sql)} JOIN ${records(sql)} ON id = record_id WHERE reference = ?1`,
        values: [reference],
      });
      return row && toStored<Order>(row);
    },
    async wake(reference, options) {
      const [row] = await run(wakeOf(sql, reference, options));
      return row && toDue(row);
    },
  };
}

const records = ({ prefix }: SqlDialect): string => `${prefix}records`;
const references = ({ prefix }: SqlDialect): string => `${prefix}payment_references`;

/** The columns of which `toStored` makes a record. */
export const storedColumns = ({ now }: SqlDialect): string =>
  `CAST(record AS text) AS record, version, ${now()} AS now`;

export const toStored = <T>({ record, version, now }: Row): Stored<T> => ({
  record: JSON.parse(String(record ?? null)) as T,
  version: Number(version ?? 0),
  storeNow: Number(now),
});

const toDue = (row: Row): DueRecord => ({
  ...toStored<Order>(row),
  claim: Number(row.claims),
  isWoken: Number(row.woken) === 1,
});

/** Returns the statement that claims the records of these ids. */
const claim = (
  sql: SqlDialect,
  { ids, leaseMs, woken }: { ids: string; leaseMs: string; woken: string },
): string =>
  `UPDATE ${records(sql)}
    SET claims = claims + 1, woken = ${woken}, due_at = ${sql.now()} + ${leaseMs}, changed_at = ${sql.now()}
    WHERE id IN (${ids})
    RETURNING ${storedColumns(sql)}, claims, woken`;

function writeOf(sql: SqlDialect, change: RecordWrite): Statement {
  const { id, references: added, events } = change;
  const { values, bind } = bindValues();
  const table = references(sql);
  const isFree =
    added.length === 0
      ? '1 = 1'
      : `NOT EXISTS (SELECT 1 FROM ${table} WHERE reference IN (${added.map(bind).join(', ')}))`;
  const changed = (change.version === 0 ? insertOf : updateOf)(sql, change, isFree, bind);
  if (added.length === 0 && events.length === 0) return { sql: changed, values };
  const parts: Record<string, string> = { changed };
  if (added.length > 0) {
    const rows = added.map((reference) => `(${bind(reference)})`).join(', ');
    parts.referenced = `INSERT INTO ${table} (reference, record_id)
      SELECT one.column1, changed.id FROM changed CROSS JOIN (VALUES ${rows}) AS one`;
  }
  if (events.length > 0) Object.assign(parts, addEvents(sql, id, events, bind));
  return { parts, sql: 'SELECT id FROM changed', values };
}

type Bind = ReturnType<typeof bindValues>['bind'];

function insertOf(
  sql: SqlDialect,
  { id, record, dueAfterMs, awaits }: RecordWrite,
  isFree: string,
  bind: Bind,
): string {
  const now = sql.now();
  const since = (awaited: typeof awaits): string => (awaits === awaited ? now : 'NULL');
  return `INSERT INTO ${records(sql)}
      (id, version, record, due_at, claims, woken, changed_at, unpaid_since, confirming_since)
    SELECT ${bind(id)}, 1, CAST(${bind(JSON.stringify(record))} AS ${sql.json}), ${now} + ${bind(whole(dueAfterMs))},
      0, 0, ${now}, CAST(${since('money')} AS bigint), CAST(${since('confirmation')} AS bigint)
    WHERE ${isFree} ON CONFLICT (id) DO NOTHING RETURNING id`;
}

/** The last claim serves the wakes before it. While one is not served, the record stays due. */
function updateOf(
  sql: SqlDialect,
  { id, record, version, dueAfterMs, claim, awaits }: RecordWrite,
  isFree: string,
  bind: Bind,
): string {
  const now = sql.now();
  const woken = claim === null ? 'woken' : `CASE WHEN claims = ${bind(claim)} THEN 0 ELSE woken END`;
  const since = (awaited: typeof awaits, column: string): string =>
    awaits === awaited ? `coalesce(${column}, ${now})` : 'NULL';
  return `UPDATE ${records(sql)} SET version = version + 1, record = ${bind(JSON.stringify(record))},
      due_at = CASE WHEN ${woken} = 1 THEN due_at ELSE ${now} + ${bind(whole(dueAfterMs))} END, woken = ${woken},
      changed_at = ${now}, unpaid_since = ${since('money', 'unpaid_since')},
      confirming_since = ${since('confirmation', 'confirming_since')}
    WHERE id = ${bind(id)} AND version = ${bind(version)} AND ${isFree} RETURNING id`;
}

function rescheduleOf(sql: SqlDialect, { id, version, dueAfterMs, claim, isServed }: Reschedule): Statement {
  const now = sql.now();
  const next = isServed ? `${now} + ?1` : `coalesce(${now} + ?1, due_at)`;
  return {
    sql: `UPDATE ${records(sql)} SET due_at = CASE WHEN version = ?2 THEN ${next} ELSE due_at END,
      woken = ${isServed ? '0' : 'woken'}, changed_at = ${now} WHERE id = ?3 AND claims = ?4`,
    values: [whole(dueAfterMs), version, id, claim],
  };
}

function claimOf(sql: SqlDialect, { limit, leaseMs }: Parameters<Store['claimDue']>[0]): Statement {
  const now = sql.now();
  const select = (condition: string, column: string): string =>
    `SELECT id FROM ${records(sql)} WHERE ${condition} ORDER BY ${column} LIMIT ?1 ${sql.skipLocked}`;
  const isDue = `due_at IS NOT NULL AND due_at <= ${now}`;
  return {
    parts: {
      woken: select(`woken = 1 AND ${isDue}`, 'due_at'),
      due: select(`woken = 0 AND ${isDue}`, 'due_at'),
    },
    sql: claim(sql, {
      ids: 'SELECT id FROM woken UNION ALL SELECT id FROM due LIMIT ?1',
      leaseMs: '?2',
      woken: 'woken',
    }),
    values: [limit, whole(leaseMs)],
  };
}

const wakeOf = (
  sql: SqlDialect,
  reference: string,
  { leaseMs }: Parameters<Store['wake']>[1],
): Statement => ({
  sql: claim(sql, {
    ids: `SELECT record_id FROM ${references(sql)} WHERE reference = ?1`,
    leaseMs: '?2',
    woken: '1',
  }),
  values: [reference, whole(leaseMs)],
});
