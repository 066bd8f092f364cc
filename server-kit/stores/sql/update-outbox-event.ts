import type { EndedRun, OutboxEventRun, RunEnd, Store } from '../../engine/store.ts';
import { count } from './add-events.ts';
import { bindValues, type Database, type Row, type SqlDialect, type Statement, whole } from './database.ts';

export const updateOutboxEventWith =
  ({ sql, run }: Database): Store['updateOutboxEvent'] =>
  async (of, change) => {
    const [row] = await run(
      change.state === 'running' ? renew(sql, of, change.leaseMs) : endOf(sql, of, change),
    );
    return row && toEndedRun(row);
  };

const renew = (sql: SqlDialect, of: OutboxEventRun, leaseMs: number): Statement => ({
  sql: `UPDATE ${sql.prefix}outbox_queues SET due_at = ${sql.now()} + ?4 WHERE ${isRun} RETURNING due_at - ${sql.now()} AS next_ms`,
  values: [...valuesOf(of), whole(leaseMs)],
});

/** The condition of the queue in which the run of an event lasts, and its values. */
const isRun = 'record_id = ?1 AND current_key = ?2 AND token = ?3';
const valuesOf = ({ recordId, key, token }: OutboxEventRun) => [recordId, key, token];

/** Ends a run. It returns no row if the run was lost to another. */
export function endOf(sql: SqlDialect, run: OutboxEventRun, end: RunEnd): Statement {
  const { values, bind } = bindValues(valuesOf(run));
  const { state } = end;
  const [events, queues, now] = [`${sql.prefix}outbox_events`, `${sql.prefix}outbox_queues`, sql.now()];
  const isOver = state === 'done' || state === 'withdrawn';
  // PostgreSQL accepts no NUL in text.
  const failed =
    'failure' in end && end.failure !== undefined
      ? `, failure = ${bind(end.failure.replaceAll('\0', '\ufffd'))}`
      : '';
  // While an event waits, no column of an index changes.
  const since = state === 'waiting' ? '' : `, since = ${now}`;
  const ended = isOver
    ? `DELETE FROM ${events}`
    : `UPDATE ${events} SET state = ${bind(state)}${failed}${since}`;
  const isPassed = `EXISTS (SELECT 1 FROM ${events} WHERE record_id = ?1 AND key <> ?2 AND state = 'waiting')`;
  const isUnpaused = (): string => `open > ${bind(run.open)}${state === 'deferred' ? ` OR ${isPassed}` : ''}`;
  const changed =
    'afterMs' in end
      ? `current_key = NULL, due_at = ${now} + CASE WHEN ${isUnpaused()} THEN 0 ELSE ${bind(whole(end.afterMs))} END`
      : `open = open - 1, current_key = NULL, due_at = CASE WHEN open > 1 THEN ${now} END`;
  const isLast = `${isOver ? 'open = 1' : '1 = 0'} AND NOT EXISTS (SELECT 1 FROM ${events} WHERE record_id = ?1 AND key <> ?2)`;
  return {
    parts: {
      emptied: `DELETE FROM ${queues} WHERE ${isRun} AND ${isLast} RETURNING CAST(NULL AS bigint) AS next_ms`,
      changed: `UPDATE ${queues} SET ${changed} WHERE ${isRun} AND NOT EXISTS (SELECT 1 FROM emptied)
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
