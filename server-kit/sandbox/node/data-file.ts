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

/** A storage that is a file. */
export type DataFile = Storage & {
  /** Waits for what is being written, and gives the file free. */
  close: () => Promise<void>;
};

/**
 * Opens a file for the sandbox's records, or makes it. What `append` has resolved for is there again after the
 * process has been killed. One process has it at a time: `FILE.lock` beside it says which. It knows the processes of its
 * own machine or container only, so that no two of these may share a file.
 *
 * The file is text, one JSON value a line (see `data-format.ts`). It is written anew without what was replaced when it is
 * opened, and whenever it has become twice as large since, but at least 16 MB.
 *
 * @throws {DataFileError} `in_use`, `foreign`, `newer`, `damaged`, or `unusable` when the system fails; the file is left
 *   as it was
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

/** How much of a file is read at once. */
const pieceBytes = 1_000_000;

/** Below this size, in bytes, a file that is open is not worth writing anew. */
const smallSize = 16_000_000;

const readPieces = (file: string): AsyncIterable<Uint8Array> =>
  createReadStream(file, { highWaterMark: pieceBytes });

async function openLocked(file: string, lock: FileLock): Promise<DataFile> {
  const entries = await readEntries(await bytesOf(file), file);
  await removeDrafts(file);
  let size = await rewriteFile(file, writeEntries(entries));
  await syncFolderOf(file);
  let handle = await open(file, 'a');
  let largestSize = limitFor(size);

  /** Read again, because nothing here holds the records. */
  async function compact(): Promise<void> {
    try {
      size = await rewriteFile(file, writeEntries(await readEntries(readPieces(file), file)));
    } catch {
      // The file is as good as before, and only longer; should it not be, the next write will tell.
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
      // After a failure the end of the file is unknown: nothing may be written behind it.
      written = written.then(() => write(writeLine(batch)));
      return written;
    },
    async close() {
      // Whoever waits for the write has been told of its failure.
      await written.catch(() => {});
      await handle.close();
      await lock.release();
    },
  };
}

const limitFor = (size: number): number => Math.max(smallSize, 2 * size);

/** Two names of one file are one file, and a link to it stays a link. */
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
    // A device such as /dev/zero has no end.
    if (!(await stat(file)).isFile())
      throw new DataFileError('foreign', `${file} is not a file; choose one.`);
    return readPieces(file);
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
