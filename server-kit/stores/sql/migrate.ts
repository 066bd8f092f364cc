import { CheckoutError } from '../../../src/contract/index.ts';
import type { Database, Run, SqlDialect } from './database.ts';

export type Migration = (sql: SqlDialect) => readonly string[];

/** Each migration raises the version of the tables by one. A released migration is never changed. */
const migrations: readonly Migration[] = [(sql) => [...createRecords(sql), ...createOthers(sql)]];

/** The first index finds the records that are due. Each row is in at most one of the others. A row grows until it is paid. */
function createRecords({ prefix, json, updatedOften }: SqlDialect): string[] {
  const index = (name: string, rest: string): string =>
    `CREATE INDEX transfer_checkout_records_${name} ON ${prefix}records ${rest}`;
  return [
    // Columns that rarely change come last: PostgreSQL logs all that is between the first and the last change of a row.
    `CREATE TABLE ${prefix}records (
      id text PRIMARY KEY,
      version integer NOT NULL,
      claims integer NOT NULL,
      woken integer NOT NULL,
      due_at bigint,
      changed_at bigint NOT NULL,
      unpaid_since bigint,
      confirming_since bigint,
      person_since bigint,
      record ${json} NOT NULL
    )${updatedOften(60)}`,
    index('due', '(woken, due_at) WHERE due_at IS NOT NULL'),
    index('unpaid', '(unpaid_since) WHERE unpaid_since IS NOT NULL'),
    index('confirming', '(confirming_since) WHERE confirming_since IS NOT NULL'),
    index('person', '(person_since) WHERE person_since IS NOT NULL'),
  ];
}

const createOthers = ({ prefix, updatedOften }: SqlDialect): string[] => [
  `CREATE TABLE ${prefix}payment_references (reference text PRIMARY KEY, record_id text NOT NULL)`,
  `CREATE INDEX transfer_checkout_references_record ON ${prefix}payment_references (record_id)`,
  `CREATE TABLE ${prefix}account_numbers (number text NOT NULL, record_id text NOT NULL, PRIMARY KEY (number, record_id))`,
  // No index has a column that changes with a run, so that PostgreSQL updates none.
  `CREATE TABLE ${prefix}outbox_events (
    record_id text NOT NULL,
    position integer NOT NULL,
    key text NOT NULL,
    event text NOT NULL,
    token integer NOT NULL,
    failure text,
    since bigint,
    state text NOT NULL,
    outcome text NOT NULL,
    PRIMARY KEY (record_id, position)
  )${updatedOften(20)}`,
  `CREATE INDEX transfer_checkout_events_parked ON ${prefix}outbox_events (since) WHERE state = 'parked'`,
  `CREATE TABLE ${prefix}outbox_queues (
    record_id text PRIMARY KEY,
    open integer NOT NULL,
    current_key text,
    token integer,
    due_at bigint
  )${updatedOften(20)}`,
  `CREATE INDEX transfer_checkout_queues_due ON ${prefix}outbox_queues (due_at, open) WHERE open > 0`,
  `CREATE TABLE ${prefix}outcome_counts (
    outcome text NOT NULL,
    shard integer NOT NULL,
    number bigint NOT NULL,
    PRIMARY KEY (outcome, shard)
  )${updatedOften(80)}`,
  `CREATE TABLE ${prefix}probe (id integer PRIMARY KEY, number bigint NOT NULL)${updatedOften(80)}`,
];

/**
 * Migrates the tables to the version of this release. Processes that start at the same time migrate one after the other. If the tables
 * are up to date, it only reads, so that a role without the right to create tables is enough.
 *
 * @throws {CheckoutError} `internal_error` if a newer release has made them
 */
export async function migrateTables(
  { sql, run, transaction }: Database,
  known: readonly Migration[] = migrations,
): Promise<void> {
  if ((await readVersion(run, sql)) === known.length) return;
  await transaction(async (run) => {
    if (sql.lockTables !== null) await run({ sql: sql.lockTables });
    const version = await readVersion(run, sql);
    if (version > known.length) refuseNewerTables(version, known.length);
    const versions = `${sql.prefix}versions`;
    if (version === 0) {
      await run({ sql: `CREATE TABLE ${versions} (id integer PRIMARY KEY, version integer NOT NULL)` });
      await run({ sql: `INSERT INTO ${versions} (id, version) VALUES (1, 0)` });
    }
    for (const statements of known.slice(version)) {
      for (const statement of statements(sql)) await run({ sql: statement });
    }
    await run({ sql: `UPDATE ${versions} SET version = ?1`, values: [known.length] });
  });
}

/** Returns the version of the tables; 0 if there are none. */
async function readVersion(run: Run, { findVersions, prefix }: SqlDialect): Promise<number> {
  const found = await run({ sql: findVersions });
  if (found.length === 0) return 0;
  const [row] = await run({ sql: `SELECT version FROM ${prefix}versions` });
  return Number(row?.version);
}

function refuseNewerTables(version: number, known: number): never {
  throw new CheckoutError(
    'internal_error',
    `The checkout's tables have version ${version}, but this release knows only ${known}: a newer release made them. Update transfer-checkout here too.`,
  );
}
