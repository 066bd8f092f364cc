import { createSqlStore } from './sql.ts';
import { createSqliteDatabase, type SqliteStoreOptions } from './sqlite-database.ts';
import type { Store } from './store.ts';

export type { SqliteStoreOptions };

/**
 * A store in a SQLite file, through `@libsql/client`: for one machine, with as many processes as you like. What a write
 * has acknowledged survives the end of the process and a loss of power (WAL with `synchronous = FULL`, SQLite's
 * documentation of both PRAGMAs), on a local disk; a network share does not lock well enough.
 *
 * @throws {CheckoutError} `invalid_options` for an address that is no file
 */
export function createSqliteStore(options: SqliteStoreOptions): Store {
  return createSqlStore(createSqliteDatabase(options));
}
