import {
  type FileHandle,
  mkdir,
  open,
  readFile,
  realpath,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Storage } from '../storage.ts';
import { DataFileError } from './data-file-error.ts';
import { readEntries, writeEntries, writeLine } from './data-format.ts';
import { type FileLock, lockFile } from './file-lock.ts';

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
 * The file is text, one JSON value a line (see `data-format.ts`); opening writes it anew without what was replaced.
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

async function openLocked(file: string, lock: FileLock): Promise<DataFile> {
  const entries = readEntries(await bytesOf(file), file);
  await replace(file, writeEntries(entries));
  const handle = await open(file, 'a');
  let written = Promise.resolve();
  return {
    entries,
    append(batch) {
      // After a failure the end of the file is unknown: nothing may be written behind it.
      written = written.then(() => write(handle, writeLine(batch), file));
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

async function write(handle: FileHandle, text: string, file: string): Promise<void> {
  try {
    await handle.appendFile(text);
    await handle.datasync();
  } catch (error) {
    throw unusable(file, error);
  }
}

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

async function bytesOf(file: string): Promise<Uint8Array> {
  try {
    // A device such as /dev/zero has no end.
    if (!(await stat(file)).isFile())
      throw new DataFileError('foreign', `${file} is not a file; choose one.`);
    return await readFile(file);
  } catch (error) {
    if (isMissing(error)) return new Uint8Array();
    throw error;
  }
}

/** The old content or the new one, whenever the power fails. */
async function replace(file: string, text: string): Promise<void> {
  const draft = `${file}.rewriting`;
  const mode = await stat(file).then(
    (found) => found.mode & 0o777,
    () => 0o600,
  );
  try {
    await writeFile(draft, text, { mode, flush: true });
    await rename(draft, file);
  } catch (error) {
    // Half of it would only fill the disk.
    await rm(draft, { force: true });
    throw error;
  }
  // Windows has no such call, and keeps the name by itself.
  if (process.platform === 'win32') return;
  const folder = await open(dirname(file), 'r');
  await folder.sync().finally(() => folder.close());
}

const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT';

const unusable = (file: string, cause: unknown): DataFileError =>
  new DataFileError('unusable', `The data file ${file} cannot be used: ${(cause as Error).message}.`, {
    cause,
  });
