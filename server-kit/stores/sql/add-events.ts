import type { NewEvent } from '../../engine/order/event.ts';
import { countsOf } from '../../engine/store.ts';
import type { Bind, SqlDialect } from './database.ts';

/** Returns the parts of a write that add the events of a record, and count them. They follow the part `changed`. */
export function addEvents(
  sql: SqlDialect,
  id: string,
  added: readonly NewEvent[],
  bind: Bind,
): Record<string, string> {
  const rows = added.map(({ key, position, outcome, ...event }) =>
    [key, position, outcome, JSON.stringify(event)].map(bind).join(', '),
  );
  const counted = added.flatMap(countsOf).map(bind);
  const now = sql.now();
  // Each part names the one before, so that all writes lock in the same order: a record, its queue, counts.
  return {
    queued: `INSERT INTO ${sql.prefix}outbox_queues AS q (record_id, open, due_at)
      SELECT id, ${added.length}, ${now} FROM changed WHERE 1 = 1
      ON CONFLICT (record_id) DO UPDATE SET open = q.open + excluded.open, ${makeDue(sql)} RETURNING record_id`,
    added: `INSERT INTO ${sql.prefix}outbox_events (key, record_id, position, outcome, event, token, state)
      SELECT one.column1, queued.record_id, CAST(one.column2 AS integer), one.column3, one.column4, 0, 'waiting'
      FROM queued CROSS JOIN (VALUES (${rows.join('), (')})) AS one RETURNING record_id`,
    counted: count(
      sql,
      id,
      `SELECT column1 AS outcome, 1 AS number FROM (VALUES (${counted.join('), (')})) AS one WHERE EXISTS (SELECT 1 FROM added)`,
    ),
  };
}

/** Returns the changes that make a queue `q` due after this time, unless it is due before or an event runs. */
export function makeDue({ now }: SqlDialect, afterMs = '0'): string {
  const dueAt = `${now()} + ${afterMs}`;
  const isWoken = `q.current_key IS NULL AND (q.due_at IS NULL OR q.due_at > ${dueAt})`;
  return `due_at = CASE WHEN ${isWoken} THEN ${dueAt} ELSE q.due_at END`;
}

/** Spreads each count over several rows, for which writes at the same time would otherwise wait. */
const countShards = 8;

/** Returns the statement that adds these numbers to the counts of the outcomes. The order of the rows prevents deadlocks. */
export function count({ prefix }: SqlDialect, spreadBy: string, numbers: string): string {
  let hash = 0;
  for (const character of spreadBy) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) % 65_521;
  return `INSERT INTO ${prefix}outcome_counts AS counts (outcome, shard, number)
    SELECT outcome, ${hash % countShards}, sum(number) FROM (${numbers}) AS numbers WHERE 1 = 1 GROUP BY outcome ORDER BY outcome
    ON CONFLICT (outcome, shard) DO UPDATE SET number = counts.number + excluded.number`;
}
