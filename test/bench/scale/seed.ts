import type { Pool } from 'pg';
import type { Template } from './templates.ts';

/**
 * Copies a template this many times. The columns are not named, so that this holds whatever the tables are: each row is copied as JSON,
 * with another order, another reference, and moved moments. `name` makes the copies differ from those of other calls.
 */
export async function copy(
  pool: Pool,
  { orderId, reference, spreadMs, rows }: Template,
  { count, name }: { count: number; name: string },
): Promise<void> {
  for (const { table, row } of rows) {
    await pool.query(
      `INSERT INTO ${table}
        SELECT made.* FROM generate_series(1, $1::integer) AS number,
          LATERAL (SELECT md5($2 || number) AS hash) AS hashed,
          LATERAL (SELECT -('x' || left(hash, 12))::bit(48)::bigint % greatest($3::bigint, 1) AS shift) AS shifted,
          LATERAL (SELECT replace(replace($4, $5, 'order-' || $2 || '-' || number), $6, 'tc_' || right(hash, 12)) AS row) AS renamed,
          LATERAL (
            SELECT jsonb_object_agg(key, CASE WHEN jsonb_typeof(value) = 'number' AND value::numeric > 1e12
              THEN to_jsonb(value::bigint + shift) ELSE value END) AS row FROM jsonb_each(renamed.row::jsonb)
          ) AS moved,
          LATERAL jsonb_populate_record(NULL::${table}, moved.row) AS made`,
      [count, name, spreadMs, row, orderId ?? reference, reference],
    );
  }
}
