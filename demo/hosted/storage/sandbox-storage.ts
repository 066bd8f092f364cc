import type { Storage, StoredRecord } from 'transfer-checkout/sandbox';
import type { DemoDatabase } from './schema.ts';
import { StorageError } from './storage-error.ts';
import { type ObjectStore, transact } from './transaction.ts';

/**
 * Opens the sandbox's records in IndexedDB: the last version of each existing record, in the order in which the records were
 * created. Only the newest opening can write, because each sandbox has all records in memory; `append` of an earlier one
 * rejects with `replaced`.
 *
 * @throws {StorageError}
 */
export async function openSandboxStorage(db: DemoDatabase): Promise<Storage> {
  const [rows, opening] = await transact(db, 'readwrite', ['sandbox', 'sandboxOpenings'], async (open) => {
    const opening = ((await open('sandboxOpenings').get('count')) ?? 0) + 1;
    await open('sandboxOpenings').put(opening, 'count');
    return [await open('sandbox').getAll(), opening] as const;
  });
  return {
    entries: rows.map(({ collection, id, record }) => [collection, id, record] as const),
    append: (entries) =>
      transact(db, 'readwrite', ['sandbox', 'sandboxOpenings'], async (open) => {
        if ((await open('sandboxOpenings').get('count')) !== opening) throw new StorageError('replaced');
        for (const entry of entries) await write(open('sandbox'), entry);
      }),
  };
}

/** A new version of a record takes the place of the one before. */
async function write(
  sandbox: ObjectStore<'sandbox', 'readwrite'>,
  [collection, id, record]: StoredRecord,
): Promise<void> {
  const position = await sandbox.index('id').getKey([collection, id]);
  if (record !== null) await sandbox.put({ collection, id, record, ...(position && { position }) });
  else if (position !== undefined) await sandbox.delete(position);
}
