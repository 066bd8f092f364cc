export type Value = string | number | null;
export type Row = Record<string, unknown>;

/** One atomic statement. */
export type Statement = {
  /** `?1` stands for the first of `values`. */
  sql: string;
  values?: readonly Value[];
  /**
   * Statements that run before `sql`, in this order. Each, and `sql`, may name the rows of those before it, as a table. Which of the
   * earlier changes a statement sees in the tables themselves is not defined.
   */
  parts?: Readonly<Record<string, string>>;
};

export function toText({ sql, parts = {} }: Statement): string {
  const named = Object.entries(parts).map(([name, part]) => `${name} AS MATERIALIZED (${part})`);
  return named.length === 0 ? sql : `WITH ${named.join(', ')} ${sql}`;
}

/** Runs a statement and returns its rows. A `bigint` may be returned as text: convert it. */
export type Run = (statement: Statement) => Promise<Row[]>;

/** The SQL in which the databases differ. */
export type SqlDialect = {
  /** The prefix of all table names. */
  prefix: string;
  /** The type of a JSON column. */
  json: string;
  /** The database's clock, in milliseconds since the epoch. */
  now: () => string;
  /** Ends a select that locks its rows, and skips those that another transaction has locked. */
  skipLocked: string;
  /** The settings of a table that is updated often; `freePercent` of each of its pages is kept free for that. */
  updatedOften: (freePercent: number) => string;
  /** Admits one process at a time to a migration; `null` if the database does so anyway. */
  lockTables: string | null;
  /** Selects one row if the table of versions exists, otherwise none. */
  findVersions: string;
};

/** What a store needs of a database. */
export type Database = {
  sql: SqlDialect;
  run: Run;
  /**
   * Runs `work` in one transaction in which each statement sees everything committed before it. An error of `work` rolls it back. `work`
   * may run again from the start, so it must do nothing but run statements.
   */
  transaction: <T>(work: (run: Run) => Promise<T>) => Promise<T>;
  close: () => Promise<void>;
};

/** Adds a value to a statement, and returns what stands for it. */
export type Bind = (value: Value) => string;

/** Collects the values of a statement. */
export function bindValues(values: Value[] = []): { values: Value[]; bind: Bind } {
  return { values, bind: (value) => `?${values.push(value)}` };
}

/** Rounds milliseconds up for a `bigint` column: a time with jitter may have a fraction. */
export function whole<T extends number | null>(ms: T): T | number {
  return ms === null ? ms : Math.ceil(ms);
}
