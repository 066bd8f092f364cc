import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, rename, rm, rmdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DataFileError } from './data-file-error.ts';
import { isAlive, startOf, unknownStart } from './process-identity.ts';

export type FileLock = {
  /** A path for a new version of the file. A draft of a dead process is removed with its lock. */
  draft: string;
  release: () => Promise<void>;
};

/** The holder of a lock, as pid, start and a random token, and its draft. */
const entryPattern = /^(([1-9]\d*)\.([\w-]+)\.[\w-]+)(\.draft)?$/;

/** Locks of this process. Without a start, a lock with our own pid can be of an earlier process. */
const held = new Set<string>();

/** The limit for failures other than a lock of a live process. */
const maxAttempts = 100;

/**
 * Acquires `FILE.lock` for this process, also from a dead process. The lock is a folder with an entry named after its holder.
 *
 * @throws {DataFileError} `in_use` while a live process holds it, `foreign` when it is not a lock
 */
export async function lockFile(file: string): Promise<FileLock> {
  const path = `${file}.lock`;
  const holder = `${process.pid}.${await startOf(process.pid)}.${randomUUID()}`;
  const prepared = await mkdtemp(`${path}.`);
  held.add(holder);
  try {
    await writeFile(join(prepared, holder), '');
    await putInPlace(prepared, path, file);
  } catch (error) {
    held.delete(holder);
    await rm(prepared, { recursive: true, force: true });
    throw error;
  }
  return {
    draft: join(path, `${holder}.draft`),
    async release() {
      held.delete(holder);
      await rm(join(path, holder), { force: true });
      await removeUnlessTaken(path);
    },
  };
}

/** Renames the folder. That succeeds only where there is no other, or an empty one, so that exactly one process gets the lock. */
async function putInPlace(prepared: string, path: string, file: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await rename(prepared, path);
    } catch (error) {
      if (attempt === maxAttempts) throw error;
      await removeDead(path, file);
    }
  }
}

/** Removes the entries of dead processes, by their names: a live process that is faster has other names. */
async function removeDead(path: string, file: string): Promise<void> {
  const entries = await readdir(path).catch((error) => {
    if (error.code === 'ENOENT') return [];
    throw error.code === 'ENOTDIR' ? notALock(path) : error;
  });
  for (const entry of entries) {
    const [, holder = '', pid, start = ''] = entryPattern.exec(entry) ?? [];
    if (pid === undefined) throw notALock(path);
    const isOwnPid = Number(pid) === process.pid && start === unknownStart;
    if (isOwnPid ? held.has(holder) : await isAlive(Number(pid), start))
      throw new DataFileError(
        'in_use',
        `${file} is in use by process ${pid}; stop it, or choose another file.`,
      );
    await rm(join(path, entry), { force: true });
  }
  // Windows renames no folder to the name of another, not even of an empty one.
  await removeUnlessTaken(path);
}

/** Another process may have the lock by now. */
const removeUnlessTaken = (path: string): Promise<void> => rmdir(path).catch(() => {});

const notALock = (path: string): DataFileError =>
  new DataFileError('foreign', `${path} is not a lock of the sandbox; remove it, or choose another file.`);
