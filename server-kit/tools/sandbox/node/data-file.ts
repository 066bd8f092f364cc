import { type FileHandle, mkdir, open, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Storage } from '../storage/storage.ts';
import { DataFileError } from './data-file-error.ts';
import { readEntries, writeEntries, writeLine } from './data-format.ts';
import { type FileLock, lockFile } from './file-lock.ts';

/** A storage in a file. */
export type DataFile = Storage & {
  /** Waits for the current write and unlocks the file. */
  close: () => Promise<void>;
};

/** The smallest size, in bytes, at which an open file is rewritten. */
const minRewriteBytes = 16_000_000;

/**
 * Opens or creates a file for the sandbox's records. Entries survive a killed process once `append` has resolved. Only one
 * process can use the file; `FILE.lock` names it. The lock sees processes of its own machine or container only, so that
 * two machines or containers must not share a file.
 *
 * The file is text with one JSON value in each line (see `data-format.ts`). It is rewritten without replaced records when it
 * is opened, and whenever its size has doubled since and is at least 16 MB.
 *
 * @throws {DataFileError} `in_use`, `foreign`, `newer`, `damaged`, or `unusable` for a failed system call; the file is not
 *   changed
 */
export async function openDataFile(path: string): Promise<DataFile> {
  try {
    const file = await createFile(path);
    const lock = await lockFile(file);
    try {
      return await openLocked(file, lock);
    } catch (error) {
      await lock.release();
      throw error;
    }
  } catch (error) {
    throw error instanceof DataFileError ? error : unusable(path, error);
  }
}

/** Creates a missing file. Resolves links, so that two names of one file share one lock and a rewrite keeps the link. */
async function createFile(path: string): Promise<string> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, '', { flag: 'wx', mode: 0o600 }).catch((error) => {
    if (error.code !== 'EEXIST') throw error;
  });
  // A device such as /dev/zero never ends.
  if ((await stat(path)).isFile()) return realpath(path);
  throw new DataFileError('foreign', `${path} is not a regular file; choose another one.`);
}

async function openLocked(file: string, lock: FileLock): Promise<DataFile> {
  const entries = await readEntries(file);
  let handle = await rewrite(file, lock.draft, entries);
  let maxBytes = await maxBytesOf(handle);

  async function compact(): Promise<void> {
    const old = handle;
    try {
      // Read again, because the records are not kept here.
      handle = await rewrite(file, lock.draft, await readEntries(file));
    } catch {
      // The file is unchanged, only longer. If it is not, the next write fails.
      maxBytes *= 2;
      return;
    }
    maxBytes = await maxBytesOf(handle);
    await old.close();
  }

  async function write(text: string): Promise<void> {
    try {
      if ((await handle.stat()).size > maxBytes) await compact();
      await handle.appendFile(text);
      await handle.datasync();
    } catch (error) {
      throw unusable(file, error);
    }
  }

  let written = Promise.resolve();
  return {
    entries,
    append(batch) {
      // After a failure the end of the file is unknown, so that no later write may follow it.
      written = written.then(() => write(writeLine(batch)));
      return written;
    },
    async close() {
      // `append` has reported the failure.
      await written.catch(() => {});
      await handle.close();
      await lock.release();
    },
  };
}

const maxBytesOf = async (handle: FileHandle): Promise<number> =>
  Math.max(minRewriteBytes, 2 * (await handle.stat()).size);

/** Replaces the file by one with these entries, atomically, also when the process dies or the disk is full. */
async function rewrite(file: string, draft: string, entries: Storage['entries']): Promise<FileHandle> {
  const { mode } = await stat(file);
  const handle = await open(draft, 'ax', mode & 0o777);
  try {
    await writeFile(handle, writeEntries(entries));
    await handle.sync();
    await rename(draft, file);
    return handle;
  } catch (error) {
    await handle.close();
    await rm(draft, { force: true });
    throw error;
  }
}

const unusable = (file: string, cause: unknown): DataFileError =>
  new DataFileError('unusable', `The data file ${file} cannot be used: ${(cause as Error).message}.`, {
    cause,
  });
