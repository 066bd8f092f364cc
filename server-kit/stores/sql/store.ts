import type { Store } from '../../engine/store.ts';
import { claimOrdersWith } from './claim-orders.ts';
import { claimOutboxEventWith } from './claim-outbox-event.ts';
import type { Database } from './database.ts';
import { findOrdersWith, findWith } from './find.ts';
import { migrateTables } from './migrate.ts';
import { readStatusWith } from './read-status.ts';
import { rescheduleWith } from './reschedule.ts';
import { resumeOutboxEventsWith } from './resume-outbox-events.ts';
import { updateOutboxEventWith } from './update-outbox-event.ts';
import { writeWith } from './write.ts';

/** A store on a database. `close` closes its connections. */
export type SqlStore = Store & { close: () => Promise<void> };

/** Creates a store on a database. Its tables are migrated before their first use. */
export function createSqlStore(unmigrated: Database): SqlStore {
  const migrate = onceDone(() => migrateTables(unmigrated));
  const database: Database = {
    ...unmigrated,
    run: (statement) => migrate().then(() => unmigrated.run(statement)),
  };
  return {
    isVolatile: false,
    prepare: () => probe(database),
    close: unmigrated.close,
    find: findWith(database),
    findOrders: findOrdersWith(database),
    write: writeWith(database),
    claimOrders: claimOrdersWith(database),
    reschedule: rescheduleWith(database),
    claimOutboxEvent: claimOutboxEventWith(database),
    updateOutboxEvent: updateOutboxEventWith(database),
    resumeOutboxEvents: resumeOutboxEventsWith(database),
    readStatus: readStatusWith(database),
  };
}

/** Writes the one row of its table. */
async function probe({ sql, run }: Database): Promise<void> {
  await run({
    sql: `INSERT INTO ${sql.prefix}probe AS probe (id, number) VALUES (1, 1)
      ON CONFLICT (id) DO UPDATE SET number = probe.number + 1`,
  });
}

/** Runs `work` once for all callers; the next call after a failure runs it again. */
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
