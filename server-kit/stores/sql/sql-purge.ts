import { type Database, whole } from './database.ts';

/** Small enough to hold no lock for long, and to end within a statement's time limit. */
const purgeBatch = 500;

/**
 * Deletes whole orders that were settled this long ago: an order's events must be kept while money can arrive on any of its
 * payments. Each batch is a transaction of its own. Returns the number of deleted payments.
 */
export async function purge(database: Database, olderThanMs: number): Promise<number> {
  let deleted = 0;
  for (let from: string | undefined = ''; from !== undefined; ) {
    const batch = await purgeFrom(database, olderThanMs, from);
    deleted += batch.deleted;
    from = batch.next;
  }
  return deleted;
}

/** `next` is the order to continue with, if there may be more. */
function purgeFrom({ sql, transaction }: Database, olderThanMs: number, from: string) {
  const { prefix } = sql;
  const isPurgeable = (row: string): string =>
    `${row}.outcome <> 'pending' AND ${row}.due_at IS NULL AND ${row}.changed_at <= ${sql.now()} - ?1`;
  return transaction(async (query) => {
    const payments = await query(
      `SELECT p.reference, p.order_id FROM ${prefix}payments AS p WHERE p.order_id >= ?2 AND ${isPurgeable('p')}
        AND NOT EXISTS (
          SELECT 1 FROM ${prefix}payments AS o WHERE o.order_id = p.order_id AND NOT (${isPurgeable('o')}))
        AND NOT EXISTS (
          SELECT 1 FROM ${prefix}effects AS e WHERE e.order_id = p.order_id AND e.state NOT IN ('done', 'withdrawn'))
      ORDER BY p.order_id LIMIT ${purgeBatch} ${sql.forUpdateSkipLocked}`,
      [whole(olderThanMs), from],
    );
    if (payments.length === 0) return { deleted: 0, next: undefined };
    const references = payments.map(({ reference }) => String(reference));
    const orderIds = payments.map(({ order_id }) => String(order_id));
    const places = payments.map((_, index) => `?${index + 1}`).join(', ');
    await query(`DELETE FROM ${prefix}payments WHERE reference IN (${places})`, references);
    await query(
      `DELETE FROM ${prefix}effects AS e WHERE e.order_id IN (${places})
        AND NOT EXISTS (SELECT 1 FROM ${prefix}payments AS p WHERE p.order_id = e.order_id)`,
      orderIds,
    );
    return { deleted: payments.length, next: payments.length < purgeBatch ? undefined : orderIds.at(-1) };
  });
}
