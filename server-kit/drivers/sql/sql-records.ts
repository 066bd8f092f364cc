import {
  clockAheadMs,
  type DueRecord,
  type RecordKind,
  type RecordTable,
  type RecordWrite,
  type Reschedule,
  type Stored,
} from '../../checkout/ports/store.ts';
import {
  bindValues,
  type Database,
  type Row,
  recordTable,
  type SqlDialect,
  type Statement,
  whole,
} from './database.ts';
import { addEvents } from './sql-outbox.ts';

/** Creates the records of one kind. Each method is one statement. */
export function createSqlRecords<T>({ sql, run }: Database, kind: RecordKind): RecordTable<T> {
  return {
    async read(id) {
      const [row] = await run({
        sql: `SELECT ${storedColumns(sql)} FROM (SELECT 1) AS one LEFT JOIN ${recordTable(sql, kind)} ON id = ?1`,
        values: [id],
      });
      return toStored<T | null>(row ?? {});
    },
    write: async (change) => (await run(writeOf(sql, kind, change))).length > 0,
    async reschedule(change) {
      await run(rescheduleOf(sql, kind, change));
    },
    async claimDue(options) {
      return (await run(claimOf(sql, kind, options))).map(toDue<T>);
    },
  };
}

/** The columns of which `toStored` makes a record. */
export const storedColumns = ({ now }: SqlDialect): string =>
  `CAST(record AS text) AS record, version, ${now()} AS now`;

export const toStored = <T>({ record, version, now }: Row): Stored<T> => ({
  record: JSON.parse(String(record ?? null)) as T,
  version: Number(version ?? 0),
  storeNow: Number(now),
});

/** Returns the statement that claims the records of these ids, after further wakes. */
export const claim = (
  sql: SqlDialect,
  kind: RecordKind,
  { ids, leaseMs, wakes }: { ids: string; leaseMs: string; wakes: number },
): string =>
  `UPDATE ${recordTable(sql, kind)}
    SET wakes = wakes + ${wakes}, due_at = ${sql.now()} + ${leaseMs}, changed_at = ${sql.now()}
    WHERE id IN (${ids})
    RETURNING ${storedColumns(sql)}, CASE WHEN wakes > served THEN wakes END AS claim`;

export const toDue = <T>(row: Row): DueRecord<T> => ({
  ...toStored<T>(row),
  claim: row.claim === null ? null : Number(row.claim),
});

function writeOf<T>(sql: SqlDialect, kind: RecordKind, change: RecordWrite<T>): Statement {
  const { id, references, events } = change;
  const { values, bind } = bindValues();
  const table = `${sql.prefix}payment_references`;
  const isFree =
    references.length === 0
      ? '1 = 1'
      : `NOT EXISTS (SELECT 1 FROM ${table} WHERE reference IN (${references.map(bind).join(', ')}))`;
  const changed = (change.version === 0 ? insertOf : updateOf)(sql, kind, change, isFree, bind);
  if (references.length === 0 && events.length === 0) return { sql: changed, values };
  const parts: Record<string, string> = { changed };
  if (references.length > 0) {
    const rows = references.map((reference) => `(${bind(reference)})`).join(', ');
    parts.referenced = `INSERT INTO ${table} (reference, kind, record_id)
      SELECT one.column1, '${kind}', changed.id FROM changed CROSS JOIN (VALUES ${rows}) AS one`;
  }
  if (events.length > 0) Object.assign(parts, addEvents(sql, { kind, id, events }, bind));
  return { parts, sql: 'SELECT id FROM changed', values };
}

type Bind = ReturnType<typeof bindValues>['bind'];

function insertOf<T>(
  sql: SqlDialect,
  kind: RecordKind,
  { id, record, dueAfterMs, awaits }: RecordWrite<T>,
  isFree: string,
  bind: Bind,
): string {
  const now = sql.now();
  const since = (awaited: typeof awaits): string => (awaits === awaited ? now : 'NULL');
  return `INSERT INTO ${recordTable(sql, kind)}
      (id, version, record, due_at, wakes, served, changed_at, unpaid_since, confirming_since)
    SELECT ${bind(id)}, 1, CAST(${bind(JSON.stringify(record))} AS ${sql.json}), ${now} + ${bind(whole(dueAfterMs))},
      0, 0, ${now}, CAST(${since('money')} AS bigint), CAST(${since('confirmation')} AS bigint)
    WHERE ${isFree} ON CONFLICT (id) DO NOTHING RETURNING id`;
}

/** A claim serves the wakes before it; while there is a later one, the record stays due. */
function updateOf<T>(
  sql: SqlDialect,
  kind: RecordKind,
  { id, record, version, dueAfterMs, claim, awaits }: RecordWrite<T>,
  isFree: string,
  bind: Bind,
): string {
  const now = sql.now();
  const served =
    claim === null ? 'served' : `CASE WHEN served < ${bind(claim)} THEN ${bind(claim)} ELSE served END`;
  const since = (awaited: typeof awaits, column: string): string =>
    awaits === awaited ? `coalesce(${column}, ${now})` : 'NULL';
  return `UPDATE ${recordTable(sql, kind)} SET version = version + 1, record = ${bind(JSON.stringify(record))},
      due_at = CASE WHEN wakes > ${served} THEN due_at ELSE ${now} + ${bind(whole(dueAfterMs))} END, served = ${served},
      changed_at = ${now}, unpaid_since = ${since('money', 'unpaid_since')},
      confirming_since = ${since('confirmation', 'confirming_since')}
    WHERE id = ${bind(id)} AND version = ${bind(version)} AND ${isFree} RETURNING id`;
}

/** A claim that is served already schedules nothing: the verification that served it knew more. Nor does one of another version. */
function rescheduleOf(
  sql: SqlDialect,
  kind: RecordKind,
  { id, version, dueAfterMs, claim, isServed }: Reschedule,
): Statement {
  const now = sql.now();
  const { values, bind } = bindValues();
  const next = `${now} + ${bind(whole(dueAfterMs))}`;
  const change =
    claim === null
      ? `due_at = ${next}`
      : `due_at = CASE WHEN wakes > ${bind(claim)} OR version <> ${bind(version)} THEN due_at ELSE ${isServed ? next : `coalesce(${next}, due_at)`} END,
        served = ${isServed ? bind(claim) : 'served'}`;
  const isOurs = claim === null ? `version = ${bind(version)} AND wakes = served` : `served < ${bind(claim)}`;
  return {
    sql: `UPDATE ${recordTable(sql, kind)} SET ${change}, changed_at = ${now} WHERE id = ${bind(id)} AND ${isOurs}`,
    values,
  };
}

type ClaimOptions = Parameters<RecordTable<unknown>['claimDue']>[0];

function claimOf(sql: SqlDialect, kind: RecordKind, { limit, leaseMs }: ClaimOptions): Statement {
  const now = sql.now();
  const select = (condition: string, column: string): string =>
    `SELECT id FROM ${recordTable(sql, kind)} WHERE ${condition} ORDER BY ${column} LIMIT ?1 ${sql.skipLocked}`;
  const isDue = `due_at <= ${now}`;
  const isAhead = `changed_at > ${now} + ${clockAheadMs}`;
  return {
    parts: {
      woken: select(`wakes > served AND ${isDue}`, 'due_at'),
      due: select(`due_at IS NOT NULL AND wakes = served AND ${isDue}`, 'due_at'),
      ahead: select(`due_at IS NOT NULL AND ${isAhead}`, 'changed_at'),
    },
    sql: claim(sql, kind, {
      ids: `${['woken', 'due', 'ahead'].map((part) => `SELECT id FROM ${part}`).join(' UNION ALL ')} LIMIT ?1`,
      leaseMs: '?2',
      wakes: 0,
    }),
    values: [limit, whole(leaseMs)],
  };
}
