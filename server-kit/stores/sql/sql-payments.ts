import type { PaymentRecord } from '../payment-record.ts';
import type { DuePayment, PaymentStore } from '../store.ts';
import { type Database, type Row, whole } from './database.ts';
import { addOutboxEvents, lockOrder } from './sql-outbox.ts';

/** Selects a record as text. */
export const recordText = 'CAST(record AS text) AS record';

export function createSqlPayments(database: Database): PaymentStore {
  const { sql, query, transaction } = database;
  const table = `${sql.prefix}payments`;
  return {
    async insert(record, { checkAfterMs }) {
      const { reference, orderId, attempt, version, outcome } = record;
      const inserted = await query(
        `INSERT INTO ${table} (reference, order_id, attempt, version, outcome, record, due_at, woken, created_at, changed_at)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ${sql.now()} + ?7, 0, ${sql.now()}, ${sql.now()})
        ON CONFLICT DO NOTHING RETURNING reference`,
        [reference, orderId, attempt, version, outcome, JSON.stringify(record), whole(checkAfterMs)],
      );
      return inserted.length > 0;
    },
    update: (record, { checkAfterMs, outcomes, claim }) =>
      transaction(async (query) => {
        if (outcomes.length > 0) await lockOrder(query, sql, record.orderId);
        const stored = { ...record, version: record.version + 1 };
        // `woken` is 1 if a verification was requested, and 2 if it has been claimed since.
        const isClaimant = 'woken = 2 AND claims = ?7';
        const isVerified = claim?.result === 'verified' ? isClaimant : 'false';
        const updated = await query(
          `UPDATE ${table} SET version = ?3, outcome = ?4, record = ?5, changed_at = ${sql.now()},
            due_at = CASE WHEN woken = 0 OR ${isClaimant} THEN ${sql.now()} + ?6 ELSE due_at END,
            woken = CASE WHEN ${isVerified} THEN 0 ELSE woken END,
            confirming_at = CASE WHEN ?8 = 1 THEN coalesce(confirming_at, ${sql.now()}) END
          WHERE reference = ?1 AND version = ?2 RETURNING reference`,
          [
            record.reference,
            record.version,
            stored.version,
            stored.outcome,
            JSON.stringify(stored),
            whole(checkAfterMs),
            claim?.number ?? null,
            record.confirming === undefined ? 0 : 1,
          ],
        );
        if (updated.length === 0) return undefined;
        if (outcomes.length > 0) await addOutboxEvents(query, sql, record, outcomes);
        return structuredClone(stored);
      }),
    async findByReference(reference) {
      const [row] = await query(`SELECT ${recordText} FROM ${table} WHERE reference = ?1`, [reference]);
      return row && toRecord(row);
    },
    async listByOrder(orderId) {
      const rows = await query(`SELECT ${recordText} FROM ${table} WHERE order_id = ?1 ORDER BY attempt`, [
        orderId,
      ]);
      return rows.map(toRecord);
    },
    async listOrderOf(reference) {
      const rows = await query(
        `SELECT ${recordText} FROM ${table} WHERE order_id = (SELECT order_id FROM ${table} WHERE reference = ?1) ORDER BY attempt`,
        [reference],
      );
      return rows.map(toRecord);
    },
    async wake(reference) {
      const woken = await query(
        `UPDATE ${table} SET woken = 1, due_at = ${sql.now()} WHERE reference = ?1 RETURNING reference`,
        [reference],
      );
      return woken.length > 0;
    },
    claimDue: createClaimDue(database),
  };
}

function createClaimDue({ sql, query, transaction }: Database): PaymentStore['claimDue'] {
  const table = `${sql.prefix}payments`;
  const claim = (): string =>
    `woken = CASE WHEN woken = 0 THEN 0 ELSE 2 END, claims = claims + 1, due_at = ${sql.now()} + ?1`;
  const isDue = (): string => `due_at <= ${sql.now()}`;
  /** One statement, because a shopper waits for it. The order of the rows does not matter: each starts at once. */
  const claimWoken = async (limit: number, leaseMs: number): Promise<DuePayment[]> => {
    const rows = await query(
      `WITH due AS MATERIALIZED (SELECT reference FROM ${table} WHERE woken > 0 AND ${isDue()} ORDER BY woken DESC, due_at LIMIT ?2 ${sql.forUpdateSkipLocked})
      UPDATE ${table} SET ${claim()} WHERE reference IN (SELECT reference FROM due) RETURNING ${recordText}, claims`,
      [whole(leaseMs), limit],
    );
    return rows.map((row) => ({ record: toRecord(row), claim: Number(row.claims) }));
  };
  return ({ limit, leaseMs, isWoken = false }) =>
    isWoken
      ? claimWoken(limit, leaseMs)
      : transaction(async (query) => {
          const due = await query(
            `SELECT reference, ${recordText}, woken, claims FROM ${table} WHERE ${isDue()} ORDER BY woken DESC, due_at LIMIT ?1 ${sql.forUpdateSkipLocked}`,
            [limit],
          );
          if (due.length === 0) return [];
          const references = due.map(({ reference }) => String(reference));
          const places = references.map((_, index) => `?${index + 2}`);
          await query(`UPDATE ${table} SET ${claim()} WHERE reference IN (${places.join(', ')})`, [
            whole(leaseMs),
            ...references,
          ]);
          return due.map((row) => ({
            record: toRecord(row),
            claim: row.woken === 0 ? null : Number(row.claims) + 1,
          }));
        });
}

export const toRecord = ({ record }: Row): PaymentRecord => JSON.parse(String(record)) as PaymentRecord;
