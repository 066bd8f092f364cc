import type { Store } from '../../engine/store.ts';
import { makeDue } from './add-events.ts';
import { bindValues, type Database, whole } from './database.ts';

export const resumeOutboxEventsWith =
  ({ sql, run }: Database): Store['resumeOutboxEvents'] =>
  async ({ outcomes, withinMs, isStart }) => {
    const [events, queues] = [`${sql.prefix}outbox_events`, `${sql.prefix}outbox_queues`];
    const { values, bind } = bindValues();
    const afterMs = `CAST((row_number() OVER (ORDER BY record_id) - 1) * ${bind(whole(withinMs))} / count(*) OVER () AS bigint)`;
    const paused = `UNION ALL SELECT record_id, 0 FROM ${queues} WHERE open > 0 AND current_key IS NULL AND due_at IS NOT NULL`;
    await run({
      parts: {
        unparked: `UPDATE ${events} SET state = 'waiting'
        WHERE state = 'parked' AND outcome IN (${outcomes.map(bind).join(', ')})${isStart ? '' : ' AND failure IS NULL'} RETURNING record_id`,
        resumed: `SELECT record_id, 1 AS added FROM unparked ${isStart ? paused : ''}`,
        spread: `SELECT record_id, sum(added) AS added, ${afterMs} AS after_ms FROM resumed GROUP BY record_id`,
        queued: `UPDATE ${queues} AS q SET open = q.open + CAST(spread.added AS integer), ${makeDue(sql, 'spread.after_ms')}
        FROM spread WHERE q.record_id = spread.record_id`,
      },
      sql: 'SELECT record_id FROM unparked',
      values,
    });
  };
