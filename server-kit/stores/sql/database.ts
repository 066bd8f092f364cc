export type Value = string | number | null;
export type Row = Record<string, unknown>;

/**
 * Runs one statement and returns its rows; `?1` stands for the first of `values`. A `bigint` may be returned as text, and
 * JSON as a parsed value: cast it.
 */
export type Query = (sql: string, values?: readonly Value[]) => Promise<Row[]>;

/** The SQL in which the databases differ. */
export type SqlDialect = {
  /** The prefix of all table names. */
  prefix: string;
  /** The type of a JSON column. */
  json: string;
  /** The database's clock, in milliseconds since the epoch. */
  now: () => string;
  /** Ends a select whose rows no other transaction may change before this one has ended. */
  forUpdate: string;
  /** The same, skipping the rows that another transaction has locked. */
  forUpdateSkipLocked: string;
  /** Admits one process at a time to a migration; `null` if the database does so anyway. */
  lockTables: string | null;
  /** Selects one row if the table of versions exists, otherwise none. */
  findVersions: string;
};

/** What a store needs of a database. */
export type Database = {
  sql: SqlDialect;
  query: Query;
  /**
   * Runs `work` in one transaction in which each statement sees everything committed before it. An error of `work` rolls it
   * back. `work` may run again from the start, so it must do nothing but query.
   */
  transaction: <T>(work: (query: Query) => Promise<T>) => Promise<T>;
  close: () => Promise<void>;
};

/** Rounds milliseconds up for a `bigint` column: a time with jitter may have a fraction. */
export function whole<T extends number | null>(ms: T): T | number {
  return ms === null ? ms : Math.ceil(ms);
}
