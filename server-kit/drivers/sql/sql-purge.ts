import { tombstoneMs } from '../../checkout/ports/store.ts';
import { afterOthers } from '../../client/async/wait.ts';
import { type Database, type Row, whole } from './database.ts';

/** Small enough to hold no lock for long, and to end within a statement's time limit. */
const purgeBatch = 200;

/** Deletes records that were last changed this long ago, in batches. Their references are kept for longer. */
export async function purge(database: Database, olderThanMs: number): Promise<number> {
  let deleted = 0;
  let from: Row | undefined = { changed_at: 0, id: '' };
  while (from !== undefined) {
    const [row] = await purgeFrom(database, olderThanMs, from);
    deleted += Number(row?.deleted);
    from = Number(row?.seen) < purgeBatch ? undefined : row;
    // SQLite blocks the process while it works.
    await afterOthers();
  }
  while ((await deleteTombstones(database)) === purgeBatch) await afterOthers();
  return deleted;
}

/** Reads the next batch after `from`, and deletes what has no unfinished events. Returns the numbers of both, and the end of the batch. */
function purgeFrom({ sql, run }: Database, olderThanMs: number, from: Row): Promise<Row[]> {
  const table = `${sql.prefix}records`;
  const purgeable = `due_at IS NULL AND changed_at <= ${sql.now()} - ?1`;
  const isOfPurged = 'record_id IN (SELECT id FROM purged)';
  return run({
    parts: {
      batch: `SELECT id, changed_at, (SELECT count(*) FROM ${sql.prefix}outbox_events AS e WHERE e.record_id = o.id) AS unfinished
        FROM ${table} AS o WHERE ${purgeable} AND (changed_at, id) > (?2, ?3) ORDER BY changed_at, id LIMIT ${purgeBatch}`,
      purged: `DELETE FROM ${table} WHERE id IN (SELECT id FROM batch WHERE unfinished = 0) AND ${purgeable} RETURNING id`,
      tombstones: `UPDATE ${sql.prefix}payment_references SET purged_at = ${sql.now()} WHERE ${isOfPurged}`,
    },
    sql: `SELECT (SELECT count(*) FROM purged) AS deleted, (SELECT count(*) FROM batch) AS seen, id, changed_at
      FROM (SELECT 1 AS one) AS always LEFT JOIN batch ON 1 = 1 ORDER BY changed_at DESC, id DESC LIMIT 1`,
    values: [whole(olderThanMs), Number(from.changed_at), String(from.id)],
  });
}

async function deleteTombstones({ sql, run }: Database): Promise<number> {
  const table = `${sql.prefix}payment_references`;
  const isOver = `purged_at IS NOT NULL AND purged_at <= ${sql.now()} - ?1`;
  const deleted = await run({
    sql: `DELETE FROM ${table} WHERE ${isOver} AND reference IN (
        SELECT reference FROM ${table} WHERE ${isOver} ORDER BY purged_at LIMIT ${purgeBatch}
      ) RETURNING reference`,
    values: [tombstoneMs],
  });
  return deleted.length;
}
