export type Value = string | number | null;
export type Row = Record<string, unknown>;

/**
 * Runs one statement, in which `?1` stands for the first of `values`, and gives its rows. A `bigint` may come as text,
 * and JSON as what it means: cast it.
 */
export type Query = (sql: string, values?: readonly Value[]) => Promise<Row[]>;

/** Where the databases differ, as pieces of SQL. */
export type SqlDialect = {
  /** What the names of all tables begin with. */
  prefix: string;
  /** The type of a column of JSON. */
  json: string;
  /** The database's clock, in milliseconds since the epoch. */
  now: () => string;
  /** Ends a select whose rows nobody else may change before the transaction has ended. */
  forUpdate: string;
  /** The same, passing over the rows that somebody else has locked. */
  forUpdateSkipLocked: string;
  /** Begins a transaction's changes to the tables themselves: one process at a time; `null` when it is so anyway. */
  lockTables: string | null;
  /** Selects one row when the table of versions exists, and none when not. */
  findVersions: string;
};

/** What a store needs of a database. */
export type Database = {
  sql: SqlDialect;
  query: Query;
  /**
   * Runs `work` in one transaction, in which each statement sees what was committed before it. What `work` throws rolls
   * it back. It may be run again from the start, so let it do nothing but query.
   */
  transaction: <T>(work: (query: Query) => Promise<T>) => Promise<T>;
  close: () => Promise<void>;
};

/** Milliseconds as a `bigint` takes them: a time with jitter may have a fraction. */
export function whole<T extends number | null>(ms: T): T | number {
  return ms === null ? ms : Math.ceil(ms);
}
