import type { NewEvent } from '../../checkout/order/event.ts';
import {
  type ClaimedOutboxEvent,
  clockAheadMs,
  type OutboxEvent,
  type OutboxEventRun,
  type OutboxEventState,
  type OutboxStore,
  type RunEnd,
} from '../../checkout/ports/store.ts';
import {
  bindValues,
  type Database,
  type RecordKind,
  type Row,
  recordTable,
  type SqlDialect,
  type Statement,
  whole,
} from './database.ts';
import { isHeld, isOpen, isOpenSince } from './migrations.ts';

/** How many due events a claim reads to find one whose turn it is. */
const claimBatch = 20;

/** An event that has to wait for another is due again after this at the earliest, unless a run of its record ends before. */
const pauseMs = 1000;

/**
 * Creates the outbox of a store on a database. Each method is one statement, and none waits for a handler's transaction, which locks the
 * event that it ends. Whose turn it is changes with each claim, and with a retried dead letter: so that no claim goes by what was before,
 * a retry has the outbox alone. All other changes only end what a claim respects.
 */
export function createSqlOutbox({ sql, run }: Database): OutboxStore {
  const table = tableOf(sql);
  const changes = async (statement: Statement): Promise<boolean> => (await run(statement)).length > 0;
  return {
    async claimOutboxEvent({ leaseMs }) {
      for (;;) {
        const [row] = await run(claimOf(sql, whole(leaseMs)));
        if (row?.key != null) return toClaimedEvent(row);
        if (!Number(row?.moved)) return undefined;
      }
    },
    renewOutboxEvent: ({ key, token }, { leaseMs }) =>
      changes({
        sql: `UPDATE ${table} SET due_at = ${sql.now()} + ?3, changed_at = ${sql.now()} WHERE ${isRun} RETURNING key`,
        values: [key, token, whole(leaseMs)],
      }),
    async finishOutboxEvent(of) {
      const [ended] = await run({
        parts: { ended: finish(sql, of).sql, moved: moveUp(sql, 'SELECT kind, record_id FROM ended') },
        sql: 'SELECT (SELECT count(*) FROM moved) AS moved FROM ended',
        values: [of.key, of.token],
      });
      return ended && { hasNext: Number(ended.moved) > 0 };
    },
    releaseOutboxEvent: (of, end) => changes(releaseOf(sql, of, end)),
    async listDeadLetters() {
      const rows = await run({
        sql: `SELECT * FROM ${table} WHERE ${isHeld} AND state = 'dead' ORDER BY changed_at, key`,
      });
      return rows.map(toOutboxEvent);
    },
    retryDeadLetter: (key) => changes(retryOf(sql, key)),
  };
}

const tableOf = ({ prefix }: SqlDialect): string => `${prefix}outbox_events`;

const isRun = "key = ?1 AND token = ?2 AND state = 'running'";

/** Marks the event as done. It returns no row if this run was lost to another. */
export const finish = (sql: SqlDialect, { key, token }: OutboxEventRun): Statement => ({
  sql: `UPDATE ${tableOf(sql)} SET state = 'done', failure = NULL, changed_at = ${sql.now()} WHERE ${isRun} RETURNING kind, record_id`,
  values: [key, token],
});

/** Returns the statement that makes the waiting events of these records due: one may have waited for a run that has ended. */
export const moveUp = (sql: SqlDialect, records: string): string =>
  `UPDATE ${tableOf(sql)} SET due_at = ${sql.now()}, changed_at = ${sql.now()}
  WHERE (kind, record_id) IN (${records}) AND state = 'waiting' RETURNING key`;

function releaseOf(sql: SqlDialect, { key, token }: OutboxEventRun, end: RunEnd): Statement {
  const { values, bind } = bindValues();
  for (const value of [key, token]) bind(value);
  const { state } = end;
  // PostgreSQL accepts no NUL in text.
  const failure = state === 'withdrawn' ? 'NULL' : bind(end.failure.replaceAll('\0', '\ufffd'));
  const dueAt = state === 'waiting' ? `${sql.now()} + ${bind(whole(end.afterMs))}` : 'due_at';
  const ended = `UPDATE ${tableOf(sql)} SET state = '${state}', failure = ${failure}, due_at = ${dueAt}, changed_at = ${sql.now()}
    WHERE ${isRun} RETURNING kind, record_id, outcome`;
  if (state === 'waiting') return { sql: ended, values };
  const parts: Record<string, string> = {
    ended,
    moved: moveUp(sql, 'SELECT kind, record_id FROM ended'),
  };
  if (state === 'withdrawn') parts.counted = count(sql, key, 'SELECT outcome, -1 AS number FROM ended');
  return { parts, sql: 'SELECT record_id FROM ended', values };
}

function retryOf(sql: SqlDialect, key: string): Statement {
  const waits = `UPDATE ${tableOf(sql)} SET state = 'waiting', due_at = ${sql.now()}, changed_at = ${sql.now()}`;
  return {
    lock: { table: tableOf(sql), mode: 'alone' },
    parts: {
      retried: `${waits} WHERE key = ?1 AND state = 'dead' RETURNING kind, record_id`,
      freed: `${waits} WHERE (kind, record_id) IN (SELECT kind, record_id FROM retried) AND state = 'blocked'`,
    },
    sql: 'SELECT record_id FROM retried',
    values: [key],
  };
}

/**
 * Claims the longest overdue event whose turn it is. Due events that have to wait for another are moved out of the way: behind a dead
 * `paid` they are `blocked` until it is retried, otherwise due when the other is, or when its run has ended. `moved` counts them.
 *
 * Nothing in the batch is locked, so that claims at the same time find different events. A row of it that has changed since is skipped.
 */
function claimOf(sql: SqlDialect, leaseMs: number): Statement {
  const [table, now] = [tableOf(sql), sql.now()];
  const others = `FROM ${table} AS o WHERE o.record_id = e.record_id AND o.kind = e.kind`;
  const unchanged = (condition: string): string =>
    `SELECT key FROM ${table} WHERE (key, token, state, due_at) IN (SELECT key, token, state, due_at FROM batch WHERE ${condition})`;
  return {
    lock: { table, mode: 'shared' },
    parts: {
      // First, so that it is read in the order of its index, whatever the planner believes.
      first: `SELECT key, token, state, due_at, position, kind, record_id FROM ${table}
        WHERE ${isOpen} AND due_at <= ${now} ORDER BY due_at, position LIMIT ${claimBatch}`,
      batch: `SELECT e.key, e.token, e.state, e.due_at, e.position,
          (SELECT count(*) ${others} AND o.position < e.position AND o.state = 'dead' AND o.outcome = 'paid') AS dead,
          (SELECT max(CASE o.state WHEN 'waiting' THEN o.due_at ELSE 0 END) ${others} AND (o.position < e.position AND o.${isOpen}
            OR o.position > e.position AND o.state = 'running' AND o.due_at > ${now})) AS behind
        FROM first AS e`,
      claimed: `UPDATE ${table} SET state = 'running', token = token + 1, due_at = ${now} + ${leaseMs}, changed_at = ${now}
        WHERE key = (${unchanged('dead = 0 AND behind IS NULL')} ORDER BY due_at, position LIMIT 1 ${sql.skipLocked})
        RETURNING *`,
      delayed: `UPDATE ${table} AS e SET state = CASE WHEN batch.dead > 0 THEN 'blocked' ELSE 'waiting' END, changed_at = ${now},
          due_at = CASE WHEN batch.behind > ${now} + ${pauseMs} THEN batch.behind ELSE ${now} + ${pauseMs} END
        FROM batch WHERE e.key = batch.key
          AND e.key IN (${unchanged("state = 'waiting' AND (dead > 0 OR behind IS NOT NULL)")} ${sql.skipLocked})
        RETURNING record_id`,
      // The clock was ahead, and has been set back. A lease begins anew.
      ahead: `SELECT key FROM ${table} WHERE ${isOpenSince} AND changed_at > ${now} + ${clockAheadMs} LIMIT ${claimBatch}`,
      advanced: `UPDATE ${table} SET due_at = ${now} + CASE state WHEN 'running' THEN ${leaseMs} ELSE 0 END, changed_at = ${now}
        WHERE key IN (SELECT key FROM ${table} WHERE key IN (SELECT key FROM ahead) AND ${isOpen} AND due_at > ${now} ${sql.skipLocked})
        RETURNING record_id`,
    },
    sql: `SELECT claimed.*, batch.state AS previous, CAST(coalesce(o.record, u.record) AS text) AS record,
        (SELECT count(*) FROM delayed) + (SELECT count(*) FROM advanced) AS moved,
        (SELECT count(*) FROM batch WHERE dead = 0 AND behind IS NULL) AS claimable
      FROM (SELECT 1 AS one) AS always LEFT JOIN claimed ON 1 = 1 LEFT JOIN batch ON batch.key = claimed.key
        LEFT JOIN ${recordTable(sql, 'order')} AS o ON claimed.kind = 'order' AND o.id = claimed.record_id
        LEFT JOIN ${recordTable(sql, 'unmatched')} AS u ON claimed.kind = 'unmatched' AND u.id = claimed.record_id`,
  };
}

/** Returns the parts of a write that add the events of a record, and count them. They follow the part `changed`. */
export function addEvents(
  sql: SqlDialect,
  { kind, id, events }: { kind: RecordKind; id: string; events: readonly NewEvent[] },
  bind: (value: string | number | null) => string,
): Record<string, string> {
  const rows = events.map(({ key, position, outcome, reference, amount, reason, isLate }) =>
    [key, position, outcome, reference, amount, reason, Number(isLate)].map(bind).join(', '),
  );
  const now = sql.now();
  return {
    added: `INSERT INTO ${tableOf(sql)} (key, kind, record_id, position, outcome, reference, amount, reason, is_late, state, token, due_at, changed_at)
      SELECT one.column1, '${kind}', changed.id, CAST(one.column2 AS integer), one.column3, one.column4, CAST(one.column5 AS bigint),
        one.column6, CAST(one.column7 AS integer), 'waiting', 0, ${now}, ${now}
      FROM changed CROSS JOIN (VALUES (${rows.join('), (')})) AS one RETURNING outcome, is_late`,
    counted: count(
      sql,
      id,
      "SELECT outcome, 1 AS number FROM added UNION ALL SELECT 'late', 1 FROM added WHERE is_late = 1",
    ),
  };
}

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

function toOutboxEvent(row: Row): OutboxEvent {
  const {
    key,
    kind,
    record_id: id,
    outcome,
    reference,
    reason,
    state,
    failure,
  } = row as Record<string, string>;
  return {
    key,
    orderId: kind === 'order' ? id : null,
    outcome,
    reference,
    reason,
    failure,
    state: state as OutboxEventState,
    position: Number(row.position),
    amount: Number(row.amount),
    isLate: Number(row.is_late) === 1,
    token: Number(row.token),
  } as OutboxEvent;
}

const toClaimedEvent = (row: Row): ClaimedOutboxEvent => ({
  ...toOutboxEvent(row),
  wasLost: row.previous === 'running',
  record: JSON.parse(String(row.record)),
  hasMore: Number(row.moved) > 0 || Number(row.claimable) > 1,
});
