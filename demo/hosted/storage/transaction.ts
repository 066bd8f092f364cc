import type { IDBPObjectStore, IDBPTransaction, StoreNames } from 'idb';
import type { DemoDatabase, DemoSchema } from './schema.ts';
import { toTransactionError } from './storage-error.ts';

type Name = StoreNames<DemoSchema>;
type Access = 'readonly' | 'readwrite';

/** An object store within a transaction. */
export type ObjectStore<Store extends Name, As extends Access> = IDBPObjectStore<
  DemoSchema,
  ArrayLike<Name>,
  Store,
  As
>;

/** A transaction, and the only access to its object stores. */
export type Open<Stores extends Name, As extends Access> = <Store extends Stores>(
  name: Store,
) => ObjectStore<Store, As>;

/**
 * Runs `work` in one transaction and resolves once it is stored; an error of `work` rolls it back. `work` must await nothing
 * but requests to these object stores, because a transaction without requests ends.
 *
 * @throws {StorageError}
 */
export async function transact<Stores extends Name, As extends Access, Result>(
  db: DemoDatabase,
  as: As,
  stores: readonly Stores[],
  work: (store: Open<Stores, As>) => Promise<Result>,
): Promise<Result> {
  const transaction = begin(db, as, stores);
  // Without a handler from the start, an end during `work` would be an unhandled rejection.
  transaction.done.catch(() => {});
  try {
    const result = await work((name) => transaction.objectStore(name));
    await transaction.done;
    return result;
  } catch (error) {
    abort(transaction);
    await transaction.done.catch(() => {});
    // If the browser has ended the transaction, its requests do not know why.
    throw toTransactionError(transaction.error ?? error);
  }
}

function begin<As extends Access>(
  db: DemoDatabase,
  as: As,
  stores: readonly Name[],
): IDBPTransaction<DemoSchema, ArrayLike<Name>, As> {
  try {
    // Quicker: a killed worker loses nothing, but a power failure may lose the last moments.
    return db.transaction(stores, as, { durability: 'relaxed' });
  } catch (error) {
    throw toTransactionError(error);
  }
}

function abort(transaction: { abort: () => void }): void {
  try {
    transaction.abort();
  } catch {
    // It has ended already.
  }
}
