import type { Order } from '../../engine/order/record.ts';
import type { DueRecord, Store } from '../../engine/store.ts';
import { type Database, type Row, type SqlDialect, type Statement, whole } from './database.ts';
import { storedColumns, toStored } from './find.ts';

export const claimOrdersWith =
  ({ sql, run }: Database): Store['claimOrders'] =>
  async ({ leaseMs, ...which }) => {
    const values = ['limit' in which ? which.limit : which.reference, whole(leaseMs)];
    const rows = await run({ ...('limit' in which ? claimDue(sql) : wake(sql)), values });
    return rows.map(toDue);
  };

function claimDue(sql: SqlDialect): Statement {
  const select = (woken: number): string =>
    `SELECT id FROM ${sql.prefix}records WHERE woken = ${woken} AND due_at IS NOT NULL AND due_at <= ${sql.now()}
      ORDER BY due_at LIMIT ?1 ${sql.skipLocked}`;
  return {
    parts: { woken: select(1), due: select(0) },
    sql: claim(sql, 'SELECT id FROM woken UNION ALL SELECT id FROM due LIMIT ?1', 'woken'),
  };
}

const wake = (sql: SqlDialect): Statement => ({
  sql: claim(sql, `SELECT record_id FROM ${sql.prefix}payment_references WHERE reference = ?1`, '1'),
});

const claim = (sql: SqlDialect, ids: string, woken: string): string =>
  `UPDATE ${sql.prefix}records
    SET claims = claims + 1, woken = ${woken}, due_at = ${sql.now()} + ?2, changed_at = ${sql.now()}
    WHERE id IN (${ids}) RETURNING ${storedColumns(sql)}, claims, woken`;

const toDue = (row: Row): DueRecord => ({
  ...toStored<Order>(row),
  claim: Number(row.claims),
  isWoken: Number(row.woken) === 1,
});
