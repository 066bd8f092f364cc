import {
  type ClaimedOutboxEvent,
  findNewEvents,
  type OutboxEvent,
  type OutboxEventRun,
  type OutboxOutcome,
  overtakenByPaid,
} from '../outbox-event.ts';
import type { PaymentRecord } from '../payment-record.ts';
import type { OutboxStore } from '../store.ts';
import { type Database, type Query, type Row, type SqlDialect, whole } from './database.ts';

/**
 * Creates the outbox of a store on a database. What depends on the other events of an order runs under `lockOrder`, so that
 * each transaction sees the result of the one before. A transaction that needs both an event and its order locks the event
 * first; one that holds the order skips locked events. So no two wait for each other.
 */
export function createSqlOutbox({ sql, query, transaction }: Database): OutboxStore {
  const table = `${sql.prefix}effects`;
  const whereRun = "WHERE key = ?1 AND token = ?2 AND state = 'running'";

  return {
    async claimOutboxEvent({ leaseMs }) {
      for (;;) {
        const claimed = await transaction((query) => claimNext(query, sql, leaseMs));
        if (claimed !== 'again') return claimed === 'none' ? undefined : claimed;
      }
    },
    async renewOutboxEvent({ key, token }, { leaseMs }) {
      const renewed = await query(
        `UPDATE ${table} SET due_at = ${sql.now()} + ?3 ${whereRun} RETURNING key`,
        [key, token, whole(leaseMs)],
      );
      return renewed.length > 0;
    },
    finishOutboxEvent: (run) => finishOutboxEvent(query, sql, run),
    failOutboxEvent: ({ key, token }, { retryAfterMs, failure }) =>
      transaction(async (query) => {
        const [event] = await query(
          `UPDATE ${table} SET state = ?3, failure = ?4, due_at = ${sql.now()} + ?5 ${whereRun} RETURNING order_id`,
          [
            key,
            token,
            retryAfterMs === null ? 'setAside' : 'waiting',
            // PostgreSQL accepts no NUL in text.
            failure.replaceAll('\0', '\ufffd'),
            whole(retryAfterMs ?? 0),
          ],
        );
        if (event === undefined) return false;
        await lockOrder(query, sql, String(event.order_id));
        await withdrawOvertaken(query, sql, String(event.order_id));
        return true;
      }),
    listDeadLetters: async () => {
      const rows = await query(
        `SELECT * FROM ${table} WHERE state = 'setAside' ORDER BY created_at, position`,
      );
      return rows.map(toOutboxEvent);
    },
    retryDeadLetter: (key) =>
      transaction(async (query) => {
        const [event] = await query(
          `UPDATE ${table} SET state = 'waiting', due_at = ${sql.now()} WHERE key = ?1 AND state = 'setAside' RETURNING order_id`,
          [key],
        );
        if (event === undefined) return false;
        // A concurrent claim of a later event of the order ends before this, or sees this event.
        await lockOrder(query, sql, String(event.order_id));
        return true;
      }),
  };
}

/** Claims the event whose turn it is, if any; `again` if that changed before its order was locked. */
async function claimNext(
  query: Query,
  sql: SqlDialect,
  leaseMs: number,
): Promise<ClaimedOutboxEvent | 'none' | 'again'> {
  const table = `${sql.prefix}effects`;
  const isTurn = isTurnOf('e', sql);
  const [next] = await query(
    `SELECT e.key, e.order_id, e.state FROM ${table} AS e WHERE ${isTurn} ORDER BY e.due_at, e.position LIMIT 1 ${sql.forUpdateSkipLocked}`,
  );
  if (next === undefined) return 'none';
  await lockOrder(query, sql, String(next.order_id));
  await withdrawOvertaken(query, sql, String(next.order_id));
  const [claimed] = await query(
    `UPDATE ${table} AS e SET state = 'running', token = e.token + 1, due_at = ${sql.now()} + ?2 WHERE e.key = ?1 AND ${isTurn} RETURNING *`,
    [String(next.key), whole(leaseMs)],
  );
  return claimed === undefined ? 'again' : { ...toOutboxEvent(claimed), wasLost: next.state === 'running' };
}

/** Returns the condition that it is the event's turn: it is due, no earlier event of its order is open, and no other one runs. */
function isTurnOf(event: string, { prefix, now }: SqlDialect): string {
  return `${event}.state IN ('waiting', 'running') AND ${event}.due_at <= ${now()} AND NOT EXISTS (
    SELECT 1 FROM ${prefix}effects AS other WHERE other.order_id = ${event}.order_id AND (
      other.position < ${event}.position AND (
        other.state IN ('waiting', 'running') OR other.state = 'setAside' AND other.outcome = 'paid'
      ) OR other.position > ${event}.position AND other.state = 'running' AND other.due_at > ${now()}
    )
  )`;
}

/** Marks the event as done. Returns false if this run was lost to another. */
export async function finishOutboxEvent(
  query: Query,
  sql: SqlDialect,
  { key, token }: OutboxEventRun,
): Promise<boolean> {
  const done = await query(
    `UPDATE ${sql.prefix}effects SET state = 'done', failure = NULL WHERE key = ?1 AND token = ?2 AND state = 'running' RETURNING key`,
    [key, token],
  );
  return done.length > 0;
}

/** Adds the new events of a payment, in a transaction that has locked its order. */
export async function addOutboxEvents(
  query: Query,
  sql: SqlDialect,
  record: PaymentRecord,
  outcomes: readonly OutboxOutcome[],
): Promise<void> {
  const table = `${sql.prefix}effects`;
  const known = await query(`SELECT * FROM ${table} WHERE order_id = ?1`, [record.orderId]);
  const news = findNewEvents(record, outcomes, known.map(toOutboxEvent));
  for (const [index, { key, orderId, outcome, reference, state, token }] of news.entries()) {
    await query(
      `INSERT INTO ${table} (key, order_id, position, outcome, reference, state, token, due_at, created_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ${sql.now()}, ${sql.now()})`,
      [key, orderId, known.length + index, outcome, reference, state, token],
    );
  }
  await withdrawOvertaken(query, sql, record.orderId);
}

/** Locks the order's payments and events against other transactions. */
export async function lockOrder(
  query: Query,
  { prefix, forUpdate }: SqlDialect,
  orderId: string,
): Promise<void> {
  await query(`SELECT 1 FROM ${prefix}payments WHERE order_id = ?1 ORDER BY attempt ${forUpdate}`, [orderId]);
}

/** Skips events that the merchant's own transaction has locked, so that their handlers can finish. */
async function withdrawOvertaken(query: Query, sql: SqlDialect, orderId: string): Promise<void> {
  const table = `${sql.prefix}effects`;
  const outcomes = overtakenByPaid.map((outcome) => `'${outcome}'`).join(', ');
  await query(
    `UPDATE ${table} SET state = 'withdrawn' WHERE key IN (
      SELECT key FROM ${table} WHERE order_id = ?1 AND outcome IN (${outcomes})
        AND (state IN ('waiting', 'setAside') OR state = 'running' AND due_at <= ${sql.now()})
        ${sql.forUpdateSkipLocked}
    ) AND EXISTS (SELECT 1 FROM ${table} AS paid WHERE paid.order_id = ?1 AND paid.outcome = 'paid')`,
    [orderId],
  );
}

function toOutboxEvent(row: Row): OutboxEvent {
  const { key, order_id: orderId, outcome, reference, state, token, failure } = row;
  return { key, orderId, outcome, reference, state, token, failure } as OutboxEvent;
}
