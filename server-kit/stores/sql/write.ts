import type { RecordWrite, Store } from '../../engine/store.ts';
import { addEvents } from './add-events.ts';
import { type Bind, bindValues, type Database, type SqlDialect, type Statement, whole } from './database.ts';

export const writeWith =
  ({ sql, run }: Database): Store['write'] =>
  async (change) =>
    (await run(statementOf(sql, change))).length > 0;

/** One statement, whatever changes. */
function statementOf(sql: SqlDialect, change: RecordWrite): Statement {
  const { id, references: added, accountNumbers, events } = change;
  const { values, bind } = bindValues();
  const table = `${sql.prefix}payment_references`;
  const isFree =
    added.length === 0
      ? '1 = 1'
      : `NOT EXISTS (SELECT 1 FROM ${table} WHERE reference IN (${added.map(bind).join(', ')}))`;
  const changed = (change.version === 0 ? insertOf : updateOf)(sql, change, isFree, bind);
  if (added.length + accountNumbers.length + events.length === 0) return { sql: changed, values };
  const parts: Record<string, string> = { changed };
  // Without a condition, SQLite would read `ON CONFLICT` as part of a join.
  const rowsOf = (texts: readonly string[]): string =>
    `SELECT one.column1, changed.id FROM changed CROSS JOIN (VALUES ${texts.map((text) => `(${bind(text)})`).join(', ')}) AS one WHERE 1 = 1`;
  if (added.length > 0) parts.referenced = `INSERT INTO ${table} (reference, record_id) ${rowsOf(added)}`;
  if (accountNumbers.length > 0)
    parts.numbered = `INSERT INTO ${sql.prefix}account_numbers (number, record_id) ${rowsOf(accountNumbers)} ON CONFLICT DO NOTHING`;
  if (events.length > 0) Object.assign(parts, addEvents(sql, id, events, bind));
  return { parts, sql: 'SELECT id FROM changed', values };
}

function insertOf(
  sql: SqlDialect,
  { id, record, dueAfterMs, awaits, needsPerson }: RecordWrite,
  isFree: string,
  bind: Bind,
): string {
  const now = sql.now();
  const since = (awaited: typeof awaits): string => (awaits === awaited ? now : 'NULL');
  return `INSERT INTO ${sql.prefix}records
      (id, version, record, due_at, claims, woken, changed_at, unpaid_since, confirming_since, person_since)
    SELECT ${bind(id)}, 1, CAST(${bind(JSON.stringify(record))} AS ${sql.json}), ${now} + ${bind(whole(dueAfterMs))},
      0, 0, ${now}, CAST(${since('money')} AS bigint), CAST(${since('confirmation')} AS bigint),
      CAST(${needsPerson ? now : 'NULL'} AS bigint)
    WHERE ${isFree} ON CONFLICT (id) DO NOTHING RETURNING id`;
}

/** The last claim serves the wakes before it. While one is not served, the record stays due. */
function updateOf(
  sql: SqlDialect,
  { id, record, version, dueAfterMs, claim, awaits, needsPerson }: RecordWrite,
  isFree: string,
  bind: Bind,
): string {
  const now = sql.now();
  const woken = claim === null ? 'woken' : `CASE WHEN claims = ${bind(claim)} THEN 0 ELSE woken END`;
  const since = (awaited: typeof awaits, column: string): string =>
    awaits === awaited ? `coalesce(${column}, ${now})` : 'NULL';
  return `UPDATE ${sql.prefix}records SET version = version + 1, record = ${bind(JSON.stringify(record))},
      due_at = CASE WHEN ${woken} = 1 THEN due_at ELSE ${now} + ${bind(whole(dueAfterMs))} END, woken = ${woken},
      changed_at = ${now}, unpaid_since = ${since('money', 'unpaid_since')},
      confirming_since = ${since('confirmation', 'confirming_since')},
      person_since = ${needsPerson ? `coalesce(person_since, ${now})` : 'NULL'}
    WHERE id = ${bind(id)} AND version = ${bind(version)} AND ${isFree} RETURNING id`;
}
