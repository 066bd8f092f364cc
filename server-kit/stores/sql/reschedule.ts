import type { Store } from '../../engine/store.ts';
import { type Database, whole } from './database.ts';

export const rescheduleWith =
  ({ sql, run }: Database): Store['reschedule'] =>
  async ({ id, version, dueAfterMs, claim, isServed }) => {
    const now = sql.now();
    const next = isServed ? `${now} + ?1` : `coalesce(${now} + ?1, due_at)`;
    await run({
      sql: `UPDATE ${sql.prefix}records SET due_at = CASE WHEN version = ?2 THEN ${next} ELSE due_at END,
        woken = ${isServed ? '0' : 'woken'}, changed_at = ${now} WHERE id = ?3 AND claims = ?4`,
      values: [whole(dueAfterMs), version, id, claim],
    });
  };
