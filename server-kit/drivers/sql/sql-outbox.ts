import type { NewEvent } from '../../checkout/order/event.ts';
import {
  type ClaimedOutboxEvent,
  countsOf,
  type EndedRun,
  mostListedWaiting,
  type OutboxEvent,
  type OutboxEventRun,
  type OutboxStore,
  type OutcomeCounts,
  type RunEnd,
  toOutcomeCounts,
} from '../../checkout/ports/store.ts';
import { bindValues, type Database, type Row, type SqlDialect, type Statement, whole } from './database.ts';

/**
 * Creates the outbox of a store on a database. The events of a record are a queue, whose row has the number of its `open` events, which
 * wait or run; the key of the one that runs; and when the queue is due: now, after a pause, at the end of a lease, or never. Parked events
 * neither wait nor run. Each change is one statement, and changes an event
 * only with the row of its queue, which is deleted with the last event.
 */
export function createSqlOutbox({ sql, run }: Database): OutboxStore {
  const changes = async (statement: Statement): Promise<boolean> => (await run(statement)).length > 0;
  return {
    async claimOutboxEvent({ leaseMs }) {
      for (;;) {
        const [row] = await run(claimOf(sql, whole(leaseMs)));
        if (row?.key != null) return toClaimedEvent(row);
        if (!Number(row?.moved)) return undefined;
      }
    },
    renewOutboxEvent: (of, { leaseMs }) =>
      changes({
        sql: `UPDATE ${queues(sql)} SET due_at = ${sql.now()} + ?4 WHERE ${isRun} RETURNING open`,
        values: [...valuesOf(of), whole(leaseMs)],
      }),
    async endOutboxEvent(of, end) {
      const [ended] = await run(endOf(sql, of, end));
      return ended && toEndedRun(ended);
    },
    async listWaiting() {
      const rows = await run({
        sql: `SELECT e.*, CAST(r.record AS text) AS record
          FROM ${events(sql)} AS e LEFT JOIN ${sql.prefix}records AS r ON r.id = e.record_id
          WHERE e.state = 'parked' OR e.failure IS NOT NULL ORDER BY coalesce(e.since, 0), e.key LIMIT ${mostListedWaiting}`,
      });
      return rows.map((row) => ({
        ...toOutboxEvent(row),
        record: JSON.parse(String(row.record)),
        isParked: row.state === 'parked',
      }));
    },
    async resume(options) {
      await run(resumeOf(sql, options));
    },
  };
}

const events = ({ prefix }: SqlDialect): string => `${prefix}outbox_events`;
const queues = ({ prefix }: SqlDialect): string => `${prefix}outbox_queues`;

/** A queue that has changed since the statement of its claim began, or has lost its events to a fault, is due again after this. */
const pauseMs = 1000;

const isOpen = "state IN ('waiting', 'deferred')";

/**
 * Claims the longest overdue queue, and starts its current event, if the run of that was lost, or the first that waits, or else the one
 * that was deferred first.
 */
function claimOf(sql: SqlDialect, leaseMs: number): Statement {
  const [table, now] = [queues(sql), sql.now()];
  const isDue = `open > 0 AND due_at <= ${now}`;
  return {
    parts: {
      due: `SELECT record_id, current_key, open FROM ${table} WHERE ${isDue} ORDER BY due_at LIMIT 1 ${sql.skipLocked}`,
      started: `UPDATE ${events(sql)} SET token = token + 1
        WHERE ${isOpen} AND (record_id, position, token) IN (
          SELECT e.record_id, e.position, e.token FROM due JOIN ${events(sql)} AS e ON e.record_id = due.record_id
          WHERE ${isOpen} ORDER BY CASE WHEN e.key = due.current_key THEN 0 ELSE 1 END,
            CASE WHEN state = 'deferred' THEN since ELSE 0 END, e.position LIMIT 1
        ) RETURNING *`,
      leased: `UPDATE ${table} SET current_key = (SELECT key FROM started), token = (SELECT token FROM started),
          due_at = ${now} + CASE WHEN EXISTS (SELECT 1 FROM started) THEN ${leaseMs} ELSE ${pauseMs} END
        WHERE record_id IN (SELECT record_id FROM due) RETURNING record_id`,
    },
    sql: `SELECT started.*, due.current_key AS lost_key, due.open, CAST(r.record AS text) AS record,
        (SELECT count(*) FROM leased) AS moved,
        EXISTS (SELECT 1 FROM (SELECT record_id FROM ${table} WHERE ${isDue} ORDER BY due_at LIMIT 2) AS two
          WHERE record_id NOT IN (SELECT record_id FROM due)) AS has_more
      FROM (SELECT 1 AS one) AS always LEFT JOIN started ON 1 = 1 LEFT JOIN due ON 1 = 1
        LEFT JOIN ${sql.prefix}records AS r ON r.id = started.record_id`,
  };
}

/** The condition of the queue in which the run of an event lasts, and its values. */
const isRun = 'record_id = ?1 AND current_key = ?2 AND token = ?3';
const valuesOf = ({ recordId, key, token }: OutboxEventRun) => [recordId, key, token];

/** Ends a run. It returns no row if the run was lost to another. */
export function endOf(sql: SqlDialect, run: OutboxEventRun, end: RunEnd): Statement {
  const { values, bind } = bindValues(valuesOf(run));
  const { state } = end;
  const now = sql.now();
  const isOver = state === 'done' || state === 'withdrawn';
  // PostgreSQL accepts no NUL in text.
  const failed =
    'failure' in end && end.failure !== undefined
      ? `, failure = ${bind(end.failure.replaceAll('\0', '\ufffd'))}`
      : '';
  // While an event waits, no column of an index changes.
  const since = state === 'waiting' ? '' : `, since = ${now}`;
  const ended = isOver
    ? `DELETE FROM ${events(sql)}`
    : `UPDATE ${events(sql)} SET state = ${bind(state)}${failed}${since}`;
  const isPassed = `EXISTS (SELECT 1 FROM ${events(sql)} WHERE record_id = ?1 AND key <> ?2 AND state = 'waiting')`;
  const isUnpaused = (): string => `open > ${bind(run.open)}${state === 'deferred' ? ` OR ${isPassed}` : ''}`;
  const changed =
    'afterMs' in end
      ? `current_key = NULL, due_at = ${now} + CASE WHEN ${isUnpaused()} THEN 0 ELSE ${bind(whole(end.afterMs))} END`
      : `open = open - 1, current_key = NULL, due_at = CASE WHEN open > 1 THEN ${now} END`;
  const isLast = `${isOver ? 'open = 1' : '1 = 0'} AND NOT EXISTS (SELECT 1 FROM ${events(sql)} WHERE record_id = ?1 AND key <> ?2)`;
  return {
    parts: {
      emptied: `DELETE FROM ${queues(sql)} WHERE ${isRun} AND ${isLast} RETURNING CAST(NULL AS bigint) AS next_ms`,
      changed: `UPDATE ${queues(sql)} SET ${changed} WHERE ${isRun} AND NOT EXISTS (SELECT 1 FROM emptied)
        RETURNING due_at - ${now} AS next_ms`,
      moved: 'SELECT next_ms FROM emptied UNION ALL SELECT next_ms FROM changed',
      ended: `${ended} WHERE record_id = ?1 AND key = ?2 AND EXISTS (SELECT 1 FROM moved) RETURNING key`,
      ...(state === 'withdrawn' && {
        counted: count(
          sql,
          run.key,
          `SELECT CAST(${bind(run.outcome)} AS text) AS outcome, -1 AS number FROM ended`,
        ),
      }),
    },
    sql: 'SELECT next_ms FROM moved',
    values,
  };
}

export const toEndedRun = ({ next_ms: ms }: Row): EndedRun => ({
  nextAfterMs: ms === null ? null : Number(ms),
});

/** Returns the changes that make a queue `q` due after this time, unless it is due before or an event runs. */
function makeDue({ now }: SqlDialect, isFree: string, afterMs = '0'): string {
  const dueAt = `${now()} + ${afterMs}`;
  const isWoken = `${isFree} AND (q.due_at IS NULL OR q.due_at > ${dueAt})`;
  return `due_at = CASE WHEN ${isWoken} THEN ${dueAt} ELSE q.due_at END`;
}

function resumeOf(
  sql: SqlDialect,
  { outcomes, withinMs, isStart }: Parameters<OutboxStore['resume']>[0],
): Statement {
  const { values, bind } = bindValues();
  const afterMs = `CAST((row_number() OVER (ORDER BY record_id) - 1) * ${bind(whole(withinMs))} / count(*) OVER () AS bigint)`;
  const paused = `UNION ALL SELECT record_id, 0 FROM ${queues(sql)} WHERE open > 0 AND current_key IS NULL AND due_at IS NOT NULL`;
  return {
    parts: {
      unparked: `UPDATE ${events(sql)} SET state = 'waiting'
        WHERE state = 'parked' AND outcome IN (${outcomes.map(bind).join(', ')})${isStart ? '' : ' AND failure IS NULL'} RETURNING record_id`,
      resumed: `SELECT record_id, 1 AS added FROM unparked ${isStart ? paused : ''}`,
      spread: `SELECT record_id, sum(added) AS added, ${afterMs} AS after_ms FROM resumed GROUP BY record_id`,
      queued: `UPDATE ${queues(sql)} AS q SET open = q.open + CAST(spread.added AS integer), ${makeDue(sql, 'q.current_key IS NULL', 'spread.after_ms')}
        FROM spread WHERE q.record_id = spread.record_id`,
    },
    sql: 'SELECT record_id FROM unparked',
    values,
  };
}

/** Returns the parts of a write that add the events of a record, and count them. They follow the part `changed`. */
export function addEvents(
  sql: SqlDialect,
  id: string,
  added: readonly NewEvent[],
  bind: (value: string | number) => string,
): Record<string, string> {
  const rows = added.map(({ key, position, outcome, ...event }) =>
    [key, position, outcome, JSON.stringify(event)].map(bind).join(', '),
  );
  const counted = added.flatMap(countsOf).map(bind);
  const now = sql.now();
  // Each part names the one before, so that all writes lock in the same order: a record, its queue, counts.
  return {
    queued: `INSERT INTO ${queues(sql)} AS q (record_id, open, due_at)
      SELECT id, ${added.length}, ${now} FROM changed WHERE 1 = 1
      ON CONFLICT (record_id) DO UPDATE SET open = q.open + excluded.open, ${makeDue(sql, 'q.current_key IS NULL')} RETURNING record_id`,
    added: `INSERT INTO ${events(sql)} (key, record_id, position, outcome, event, token, state)
      SELECT one.column1, queued.record_id, CAST(one.column2 AS integer), one.column3, one.column4, 0, 'waiting'
      FROM queued CROSS JOIN (VALUES (${rows.join('), (')})) AS one RETURNING record_id`,
    counted: count(
      sql,
      id,
      `SELECT column1 AS outcome, 1 AS number FROM (VALUES (${counted.join('), (')})) AS one WHERE EXISTS (SELECT 1 FROM added)`,
    ),
  };
}

/** `event` is the JSON of what the columns do not hold. */
const toOutboxEvent = ({ key, outcome, position, event, token, failure }: Row): OutboxEvent => ({
  ...({ ...JSON.parse(String(event)), outcome } as NewEvent),
  key: String(key),
  position: Number(position),
  token: Number(token),
  failure: failure as string | null,
});

const toClaimedEvent = (row: Row): ClaimedOutboxEvent => ({
  ...toOutboxEvent(row),
  recordId: String(row.record_id),
  wasLost: row.lost_key !== null,
  record: JSON.parse(String(row.record)),
  open: Number(row.open),
  hasMore: Boolean(Number(row.has_more)),
});

/** Spreads each count over several rows, for which writes at the same time would otherwise wait. */
const countShards = 8;

/** Returns the statement that adds these numbers to the counts of the outcomes. The order of the rows prevents deadlocks. */
function count({ prefix }: SqlDialect, spreadBy: string, numbers: string): string {
  let hash = 0;
  for (const character of spreadBy) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) % 65_521;
  return `INSERT INTO ${prefix}outcome_counts AS counts (outcome, shard, number)
    SELECT outcome, ${hash % countShards}, sum(number) FROM (${numbers}) AS numbers WHERE 1 = 1 GROUP BY outcome ORDER BY outcome
    ON CONFLICT (outcome, shard) DO UPDATE SET number = counts.number + excluded.number`;
}

export async function countOutcomes({ sql, run }: Database): Promise<OutcomeCounts> {
  const rows = await run({
    sql: `SELECT outcome, sum(number) AS number FROM ${sql.prefix}outcome_counts GROUP BY outcome`,
  });
  return toOutcomeCounts(new Map(rows.map(({ outcome, number }) => [outcome, Number(number)])));
}
