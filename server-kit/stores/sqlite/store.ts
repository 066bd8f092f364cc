import { createSqlStore, type SqlStore } from '../sql/store.ts';
import { createSqliteDatabase, type SqliteStoreOptions } from './database.ts';

export type { SqliteStoreOptions };

/**
 * Creates a store in a SQLite file, through `@libsql/client`, for one machine with any number of processes. An acknowledged
 * write survives the end of the process and a loss of power (WAL with `synchronous = FULL`, SQLite's documentation of both
 * PRAGMAs) on a local disk; the locks of a network share are not reliable enough.
 *
 * @throws {CheckoutError} `invalid_options`, naming each invalid option
 */
export const createSqliteStore = (options: SqliteStoreOptions): SqlStore =>
  createSqlStore(createSqliteDatabase(options));
