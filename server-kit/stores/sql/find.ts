import type { Order } from '../../engine/order/record.ts';
import { type FoundOrder, type FoundRecord, mostFound, type Store, type Stored } from '../../engine/store.ts';
import { toOutboxEvent } from './claim-outbox-event.ts';
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

export const findOrdersWith =
  ({ sql, run }: Database): Store['findOrders'] =>
  async (text) => {
    const rows = await run({
      sql: `SELECT r.*, e.* FROM (
          SELECT id, changed_at, ${storedColumns(sql)} FROM ${sql.prefix}records WHERE id IN (
            SELECT CAST(?1 AS text) UNION SELECT record_id FROM ${sql.prefix}payment_references WHERE reference = ?1
            UNION SELECT record_id FROM ${sql.prefix}account_numbers WHERE number = ?1
          ) ORDER BY changed_at DESC LIMIT ${mostFound}
        ) AS r LEFT JOIN ${sql.prefix}outbox_events AS e ON e.record_id = r.id ORDER BY changed_at DESC, id, position`,
      values: [text],
    });
    const found = new Map<unknown, FoundOrder>();
    for (const row of rows) {
      const order = found.get(row.id) ?? { ...toStored<Order>(row), events: [] };
      if (row.key !== null) order.events.push({ ...toOutboxEvent(row), isParked: row.state === 'parked' });
      found.set(row.id, order);
    }
    return [...found.values()];
  };

/** The columns of which `toStored` makes a record. */
export const storedColumns = ({ now }: SqlDialect): string =>
  `CAST(record AS text) AS record, version, ${now()} AS now`;

export const toStored = <T>({ record, version, now }: Row): Stored<T> => ({
  record: JSON.parse(String(record ?? null)) as T,
  version: Number(version ?? 0),
  storeNow: Number(now),
});
