import type { Order } from '../../engine/order/record.ts';
import type { FoundRecord, Store, Stored } from '../../engine/store.ts';
import type { Database, Row, SqlDialect } from './database.ts';

export const findWith =
  ({ sql, run }: Database): Store['find'] =>
  async (by) => {
    const id =
      'orderId' in by ? '?1' : `(SELECT record_id FROM ${sql.prefix}payment_references WHERE reference = ?1)`;
    const [row] = await run({
      sql: `SELECT ${storedColumns(sql)} FROM (SELECT 1) AS one LEFT JOIN ${sql.prefix}records ON id = ${id}`,
      values: ['orderId' in by ? by.orderId : by.reference],
    });
    return toStored<Order | null>(row ?? {}) as FoundRecord;
  };

/** The columns of which `toStored` makes a record. */
export const storedColumns = ({ now }: SqlDialect): string =>
  `CAST(record AS text) AS record, version, ${now()} AS now`;

export const toStored = <T>({ record, version, now }: Row): Stored<T> => ({
  record: JSON.parse(String(record ?? null)) as T,
  version: Number(version ?? 0),
  storeNow: Number(now),
});
