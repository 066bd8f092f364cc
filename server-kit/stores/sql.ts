import { CheckoutError } from '../../src/contract/index.ts';
import { type Database, type Row, whole } from './database.ts';
import { migrateTables } from './migrations.ts';
import { addOutboxEvents, createSqlOutbox, lockOrder } from './sql-outbox.ts';
import { purge } from './sql-purge.ts';
import type { BudgetState, DuePayment, PaymentRecord, PaymentStore, Store } from './store.ts';

/** A store on a database, whose tables are made or brought up to date before they are first used. */
export function createSqlStore(unmigrated: Database): Store {
  const migrate = onceDone(() => migrateTables(unmigrated));
  const { close } = unmigrated;
  const database: Database = {
    ...unmigrated,
    query: (...statement) => migrate().then(() => unmigrated.query(...statement)),
    transaction: (work) => migrate().then(() => unmigrated.transaction(work)),
  };
  return {
    isVolatile: false,
    migrate,
    close,
    ...createSqlPayments(database),
    ...createSqlOutbox(database),
    ...createBudget(database),
    measure: () => measure(database),
    purge: (olderThanMs) => purge(database, olderThanMs),
  };
}

/** Shares one run of `work` among all who ask; one that has failed is run again for whoever asks next. */
function onceDone(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  return () => {
    running ??= work().catch((error: unknown) => {
      running = undefined;
      throw error;
    });
    return running;
  };
}

const recordText = 'CAST(record AS text) AS record';

function createSqlPayments(database: Database): PaymentStore {
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
        // `woken` is 1 when a look was asked for, and 2 when somebody has claimed it since.
        const isClaimant = 'woken = 2 AND claims = ?7';
        const isAnswered = claim?.result === 'answered' ? isClaimant : 'false';
        const updated = await query(
          `UPDATE ${table} SET version = ?3, outcome = ?4, record = ?5, changed_at = ${sql.now()},
            due_at = CASE WHEN woken = 0 OR ${isClaimant} THEN ${sql.now()} + ?6 ELSE due_at END,
            woken = CASE WHEN ${isAnswered} THEN 0 ELSE woken END,
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
  /** In one statement, because a shopper waits for it. Their order does not matter: each starts as soon as it is claimed. */
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

/** Each conflict is a change by another instance; so many in a row are a fault. */
const maxBudgetConflicts = 100;

/** One row, changed by compare-and-set: a lock would cost two statements more. */
function createBudget({ sql, query }: Database): Pick<Store, 'updateBudget'> {
  const table = `${sql.prefix}budget`;
  let last: Promise<unknown> = Promise.resolve();

  const updateBudget: Store['updateBudget'] = async (change) => {
    for (let conflicts = 0; conflicts < maxBudgetConflicts; conflicts++) {
      const [row] = await query(
        `SELECT ${sql.now()} AS now, (SELECT state FROM ${table}) AS state, (SELECT version FROM ${table}) AS version`,
      );
      const version = Number(row?.version ?? 0);
      const stored = row?.state == null ? undefined : (JSON.parse(String(row.state)) as BudgetState);
      const [state, result] = change(stored, Number(row?.now));
      const written = await query(
        `INSERT INTO ${table} AS budget (id, second, taken, version, state) VALUES (1, 0, 0, ?1, ?2)
        ON CONFLICT (id) DO UPDATE SET version = excluded.version, state = excluded.state
        WHERE budget.version = ?3 RETURNING version`,
        [version + 1, JSON.stringify(state), version],
      );
      if (written.length > 0) return result;
    }
    throw new CheckoutError('internal_error', 'The store did not take the new state of the budget.');
  };

  return {
    // One at a time in this process, so that it has conflicts with others only.
    updateBudget(change) {
      const updated = last.then(() => updateBudget(change));
      last = updated.catch(() => {});
      return updated;
    },
  };
}

async function measure({ sql, query }: Database): ReturnType<Store['measure']> {
  const { prefix } = sql;
  const [row] = await query(
    `SELECT ${sql.now()} - (SELECT min(created_at) FROM ${prefix}payments WHERE outcome = 'pending') AS oldest,
      ${sql.now()} - (SELECT min(confirming_at) FROM ${prefix}payments WHERE confirming_at IS NOT NULL) AS confirming,
      ${sql.now()} - (SELECT min(due_at) FROM ${prefix}payments WHERE due_at IS NOT NULL) AS lag,
      (SELECT count(*) FROM ${prefix}effects WHERE state IN ('waiting', 'running')) AS waiting,
      (SELECT count(*) FROM ${prefix}effects WHERE state = 'setAside') AS set_aside`,
  );
  return {
    oldestUnpaidMs: row?.oldest == null ? null : Number(row.oldest),
    oldestConfirmingMs: row?.confirming == null ? null : Number(row.confirming),
    checkLagMs: Math.max(0, Number(row?.lag ?? 0)),
    pendingOutboxEvents: Number(row?.waiting),
    deadLetters: Number(row?.set_aside),
  };
}

const toRecord = ({ record }: Row): PaymentRecord => JSON.parse(String(record)) as PaymentRecord;
