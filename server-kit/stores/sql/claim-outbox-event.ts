import type { NewEvent } from '../../engine/order/event.ts';
import type { ClaimedOutboxEvent, OutboxEvent, Store } from '../../engine/store.ts';
import { type Database, type Row, type SqlDialect, type Statement, whole } from './database.ts';

/**
 * The events of an order are a queue, whose row has the number of its `open` events, which wait or run; the key of the one that runs; and
 * when the queue is due: now, after a pause, at the end of a lease, or never. Each change is one statement, and changes an event only with
 * the row of its queue, which is deleted with the last event.
 */
export const claimOutboxEventWith =
  ({ sql, run }: Database): Store['claimOutboxEvent'] =>
  async ({ leaseMs }) => {
    for (;;) {
      const [row] = await run(statementOf(sql, whole(leaseMs)));
      if (row?.key != null) return toClaimedEvent(row);
      if (!Number(row?.moved)) return undefined;
    }
  };

/** A queue that has changed since the statement of its claim began, or has lost its events to a fault, is due again after this. */
const pauseMs = 1000;

const isOpen = "state IN ('waiting', 'deferred')";

/**
 * Claims the longest overdue queue, and starts its current event, if the run of that was lost, or the first that waits, or else the one
 * that was deferred first.
 */
function statementOf(sql: SqlDialect, leaseMs: number): Statement {
  const [events, queues, now] = [`${sql.prefix}outbox_events`, `${sql.prefix}outbox_queues`, sql.now()];
  const isDue = `open > 0 AND due_at <= ${now}`;
  return {
    parts: {
      due: `SELECT record_id, current_key, open FROM ${queues} WHERE ${isDue} ORDER BY due_at LIMIT 1 ${sql.skipLocked}`,
      started: `UPDATE ${events} SET token = token + 1
        WHERE ${isOpen} AND (record_id, position, token) IN (
          SELECT e.record_id, e.position, e.token FROM due JOIN ${events} AS e ON e.record_id = due.record_id
          WHERE ${isOpen} ORDER BY CASE WHEN e.key = due.current_key THEN 0 ELSE 1 END,
            CASE WHEN state = 'deferred' THEN since ELSE 0 END, e.position LIMIT 1
        ) RETURNING *`,
      leased: `UPDATE ${queues} SET current_key = (SELECT key FROM started), token = (SELECT token FROM started),
          due_at = ${now} + CASE WHEN EXISTS (SELECT 1 FROM started) THEN ${leaseMs} ELSE ${pauseMs} END
        WHERE record_id IN (SELECT record_id FROM due) RETURNING record_id`,
    },
    sql: `SELECT started.*, due.current_key AS lost_key, due.open, CAST(r.record AS text) AS record,
        (SELECT count(*) FROM leased) AS moved,
        EXISTS (SELECT 1 FROM (SELECT record_id FROM ${queues} WHERE ${isDue} ORDER BY due_at LIMIT 2) AS two
          WHERE record_id NOT IN (SELECT record_id FROM due)) AS has_more
      FROM (SELECT 1 AS one) AS always LEFT JOIN started ON 1 = 1 LEFT JOIN due ON 1 = 1
        LEFT JOIN ${sql.prefix}records AS r ON r.id = started.record_id`,
  };
}

const toClaimedEvent = (row: Row): ClaimedOutboxEvent => ({
  ...toOutboxEvent(row),
  recordId: String(row.record_id),
  wasLost: row.lost_key !== null,
  record: JSON.parse(String(row.record)),
  open: Number(row.open),
  hasMore: Boolean(Number(row.has_more)),
});

/** `event` is the JSON of what the columns do not hold. */
export const toOutboxEvent = ({ key, outcome, position, event, token, failure }: Row): OutboxEvent => ({
  ...({ ...JSON.parse(String(event)), outcome } as NewEvent),
  key: String(key),
  position: Number(position),
  token: Number(token),
  failure: failure as string | null,
});
