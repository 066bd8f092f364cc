import type { Store } from '../../checkout/ports/store.ts';
import { createSqlStore } from '../sql/sql-store.ts';
import { createSqliteDatabase, type SqliteStoreOptions } from './sqlite-database.ts';

export type { SqliteStoreOptions };

/**
 * Creates a store in a SQLite file, through `@libsql/client`, for one machine with any number of processes. An acknowledged
 * write survives the end of the process and a loss of power (WAL with `synchronous = FULL`, SQLite's documentation of both
 * PRAGMAs) on a local disk; the locks of a network share are not reliable enough.
 *
 * @throws {CheckoutError} `invalid_options`, naming each invalid option
 */
export function createSqliteStore(options: SqliteStoreOptions): Store {
  return createSqlStore(createSqliteDatabase(options));
}
