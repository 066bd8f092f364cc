import { CheckoutError } from '../../../src/contract/index.ts';
import type { Database, Query, SqlDialect } from './database.ts';

export type Migration = (sql: SqlDialect) => readonly string[];

/** Each migration raises the version of the tables by one. A released migration is never changed. */
const migrations: readonly Migration[] = [
  ({ prefix, json }) => [
    `CREATE TABLE ${prefix}payments (
      reference text PRIMARY KEY,
      order_id text NOT NULL,
      attempt integer NOT NULL,
      version integer NOT NULL,
      outcome text NOT NULL,
      record ${json} NOT NULL,
      due_at bigint,
      woken integer NOT NULL,
      created_at bigint NOT NULL,
      changed_at bigint NOT NULL,
      UNIQUE (order_id, attempt)
    )`,
    `CREATE INDEX transfer_checkout_payments_due ON ${prefix}payments (woken DESC, due_at) WHERE due_at IS NOT NULL`,
    `CREATE INDEX transfer_checkout_payments_pending ON ${prefix}payments (created_at) WHERE outcome = 'pending'`,
    `CREATE TABLE ${prefix}effects (
      key text PRIMARY KEY,
      order_id text NOT NULL,
      position integer NOT NULL,
      outcome text NOT NULL,
      reference text NOT NULL,
      state text NOT NULL,
      token integer NOT NULL,
      failure text,
      due_at bigint NOT NULL,
      created_at bigint NOT NULL,
      UNIQUE (order_id, position)
    )`,
    `CREATE INDEX transfer_checkout_effects_open ON ${prefix}effects (due_at) WHERE state IN ('waiting', 'running')`,
    `CREATE INDEX transfer_checkout_effects_set_aside ON ${prefix}effects (created_at) WHERE state = 'setAside'`,
    `CREATE TABLE ${prefix}budget (id integer PRIMARY KEY, second bigint NOT NULL, taken integer NOT NULL)`,
  ],
  ({ prefix }) => [`ALTER TABLE ${prefix}budget ADD COLUMN paused_until bigint NOT NULL DEFAULT 0`],
  ({ prefix }) => [`ALTER TABLE ${prefix}payments ADD COLUMN claims integer NOT NULL DEFAULT 0`],
  ({ prefix }) => [
    `ALTER TABLE ${prefix}payments ADD COLUMN confirming_at bigint`,
    `CREATE INDEX transfer_checkout_payments_confirming ON ${prefix}payments (confirming_at) WHERE confirming_at IS NOT NULL`,
  ],
  // `second`, `taken` and `paused_until` belong to releases with a fixed budget, which may run beside this one.
  ({ prefix }) => [
    `ALTER TABLE ${prefix}budget ADD COLUMN version bigint NOT NULL DEFAULT 0`,
    `ALTER TABLE ${prefix}budget ADD COLUMN state text`,
  ],
];

/**
 * Migrates the tables to the version of this release. Processes that start at the same time migrate one after the other. If
 * the tables are up to date, it only reads, so that a role without the right to create tables is enough.
 *
 * @throws {CheckoutError} `internal_error` if a newer release has migrated them further
 */
export async function migrateTables(
  { sql, query, transaction }: Database,
  known: readonly Migration[] = migrations,
): Promise<void> {
  if ((await readVersion(query, sql)) === known.length) return;
  await transaction(async (query) => {
    if (sql.lockTables !== null) await query(sql.lockTables);
    const version = await readVersion(query, sql);
    if (version > known.length) refuseNewerTables(version, known.length);
    const versions = `${sql.prefix}versions`;
    if (version === 0) {
      await query(`CREATE TABLE ${versions} (id integer PRIMARY KEY, version integer NOT NULL)`);
      await query(`INSERT INTO ${versions} (id, version) VALUES (1, 0)`);
    }
    for (const statements of known.slice(version)) {
      for (const statement of statements(sql)) await query(statement);
    }
    await query(`UPDATE ${versions} SET version = ?1`, [known.length]);
  });
}

/** Returns the version of the tables; 0 if there are none. */
async function readVersion(query: Query, { findVersions, prefix }: SqlDialect): Promise<number> {
  const found = await query(findVersions);
  if (found.length === 0) return 0;
  const [row] = await query(`SELECT version FROM ${prefix}versions`);
  return Number(row?.version);
}

function refuseNewerTables(version: number, known: number): never {
  throw new CheckoutError(
    'internal_error',
    `The checkout's tables have version ${version}, but this release knows only ${known}: a newer release has migrated them. Update transfer-checkout here too.`,
  );
}
