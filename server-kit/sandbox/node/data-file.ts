import { createReadStream } from 'node:fs';
import { mkdir, open, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import type { Storage } from '../storage/storage.ts';
import { DataFileError } from './data-file-error.ts';
import { readEntries, writeEntries, writeLine } from './data-format.ts';
import { type FileLock, lockFile } from './file-lock.ts';
import { removeDrafts, rewriteFile, syncFolderOf } from './rewrite-file.ts';

export { DataFileError, type DataFileErrorCode } from './data-file-error.ts';

/** A storage in a file. */
export type DataFile = Storage & {
  /** Waits for the current write and unlocks the file. */
  close: () => Promise<void>;
};

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
    const file = await realPath(path);
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

/** The size of one read. */
const chunkBytes = 1_000_000;

/** The smallest size, in bytes, at which an open file is rewritten. */
const minRewriteBytes = 16_000_000;

const readChunks = (file: string): AsyncIterable<Uint8Array> =>
  createReadStream(file, { highWaterMark: chunkBytes });

async function openLocked(file: string, lock: FileLock): Promise<DataFile> {
  const entries = await readEntries(await bytesOf(file), file);
  await removeDrafts(file);
  let size = await rewriteFile(file, writeEntries(entries));
  await syncFolderOf(file);
  let handle = await open(file, 'a');
  let largestSize = limitFor(size);

  /** Reads the file again, because the records are not kept here. */
  async function compact(): Promise<void> {
    try {
      size = await rewriteFile(file, writeEntries(await readEntries(readChunks(file), file)));
    } catch {
      // The file is unchanged, only longer. If it is not, the next write fails.
      largestSize *= 2;
      return;
    }
    largestSize = limitFor(size);
    await handle.close();
    handle = await open(file, 'a');
    await syncFolderOf(file);
  }

  async function write(text: string): Promise<void> {
    try {
      if (size > largestSize) await compact();
      await handle.appendFile(text);
      await handle.datasync();
      size += Buffer.byteLength(text);
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

const limitFor = (size: number): number => Math.max(minRewriteBytes, 2 * size);

/** Resolves links, so that two names of one file share one lock and a rewrite keeps the link. */
async function realPath(path: string): Promise<string> {
  await mkdir(dirname(path), { recursive: true });
  try {
    return await realpath(path);
  } catch (error) {
    if (!isMissing(error)) throw error;
    return join(await realpath(dirname(path)), basename(path));
  }
}

async function bytesOf(file: string): Promise<AsyncIterable<Uint8Array>> {
  try {
    // A device such as /dev/zero never ends.
    if (!(await stat(file)).isFile())
      throw new DataFileError('foreign', `${file} is not a regular file; choose another one.`);
    return readChunks(file);
  } catch (error) {
    if (isMissing(error)) return Readable.from([]);
    throw error;
  }
}

const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT';

const unusable = (file: string, cause: unknown): DataFileError =>
  new DataFileError('unusable', `The data file ${file} cannot be used: ${(cause as Error).message}.`, {
    cause,
  });
