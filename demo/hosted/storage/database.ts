import { deleteDB, openDB } from 'idb';
import { type Wait, waitWithTimer } from '../../../server-kit/core/time.ts';
import { createObjectStores, type DemoDatabase, type DemoSchema, schemaVersion } from './schema.ts';
import { StorageError, toOpeningError } from './storage-error.ts';

export type { DemoDatabase } from './schema.ts';

export type OpenOptions = {
  /** The name of the database: one for each copy of the demo, because those on one origin share their storage. */
  name: string;
  /**
   * Called when the connection is lost: the browser has closed it, or another version of the demo needs the database. Every
   * later use rejects with `closed`; open the database again, and create again what uses it.
   */
  onClosed: () => void;
  /** Replaced in tests. */
  version?: number;
  /** Replaced in tests. */
  wait?: Wait;
};

export type OpenedDatabase = {
  db: DemoDatabase;
  /** Whether the content was deleted, because another version of the demo had written it. */
  wasReset: boolean;
};

/** How long other connections may take to end their transactions and close. */
const blockedMs = 5000;

/**
 * Opens the demo's database. One with another schema version is deleted and created again.
 *
 * @throws {StorageError} `unavailable`, `full`, `blocked`, `closed` or `failed`
 */
export async function openDatabase({
  name,
  onClosed,
  version = schemaVersion,
  wait = waitWithTimer,
}: OpenOptions): Promise<OpenedDatabase> {
  // Undefined if a browser offers no storage at all.
  if (globalThis.indexedDB === undefined) throw new StorageError('unavailable');
  const open = (): Promise<OpenedDatabase> =>
    unlessBlocked(
      (onBlocked) => openSchema({ name, onClosed, version }, onBlocked),
      ({ db }) => db.close(),
      wait,
    );
  try {
    return await open().catch(async (error: unknown) => {
      if (!(error instanceof DOMException && error.name === 'VersionError')) throw error;
      await unlessBlocked(
        (onBlocked) => deleteDB(name, { blocked: onBlocked }),
        () => {},
        wait,
      );
      return { ...(await open()), wasReset: true };
    });
  } catch (error) {
    throw toOpeningError(error);
  }
}

async function openSchema(
  { name, onClosed, version }: { name: string; onClosed: () => void; version: number },
  onBlocked: () => void,
): Promise<OpenedDatabase> {
  let wasReset = false;
  const db = await openDB<DemoSchema>(name, version, {
    upgrade(db, oldVersion) {
      wasReset = oldVersion > 0;
      for (const name of db.objectStoreNames) db.deleteObjectStore(name);
      createObjectStores(db);
    },
    blocked: onBlocked,
    blocking(_current, _next, { target }) {
      (target as IDBDatabase).close();
      onClosed();
    },
    terminated: onClosed,
  });
  return { db, wasReset };
}

/** Rejects with `blocked` if other connections stay open; a result that comes later is discarded. */
function unlessBlocked<Result>(
  start: (onBlocked: () => void) => Promise<Result>,
  discard: (late: Result) => void,
  wait: Wait,
): Promise<Result> {
  return new Promise((resolve, reject) => {
    let isGivenUp = false;
    const giveUp = (): void => {
      isGivenUp = true;
      reject(new StorageError('blocked'));
    };
    start(() => void wait(blockedMs).then(giveUp)).then(
      (result) => (isGivenUp ? discard(result) : resolve(result)),
      reject,
    );
  });
}
