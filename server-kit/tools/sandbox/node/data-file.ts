import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import * as v from 'valibot';
import type { JournalEntry, Storage } from '../state/storage.ts';

/** A storage in a file. */
export type DataFile = Storage & {
  /** Writes what is not written yet. Rejects when that fails. */
  close: () => Promise<void>;
};

/** Why a data file cannot be used: it is not a data file of this version (`foreign`), or a system call failed (`unusable`). */
export type DataFileErrorCode = 'foreign' | 'unusable';

/** A data file that cannot be used. The file is not changed. */
export class DataFileError extends Error {
  override readonly name = 'DataFileError';
  readonly code: DataFileErrorCode;

  constructor(code: DataFileErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

const format = 'transfer-checkout sandbox 2';

const Content = v.object({
  format: v.literal(format),
  records: v.array(
    v.pipe(
      v.strictTuple([v.string(), v.string(), v.looseObject({ id: v.string() })]),
      v.check(([, id, record]) => record.id === id),
    ),
  ),
});

/** How long writes are collected. */
const writeDelayMs = 0;

/**
 * Opens a JSON file for the sandbox's records, and creates it with the first of them. The whole file is replaced at once,
 * shortly after a change, so that a killed process can lose its last changes, but leaves no damaged file. One process at a
 * time may use it.
 *
 * @throws {DataFileError} `foreign`, or `unusable` for a failed system call
 */
export async function openDataFile(path: string): Promise<DataFile> {
  const records = new Map((await readRecords(path)).map((entry) => [keyOf(entry), entry]));
  let timer: ReturnType<typeof setTimeout> | undefined;
  let written = Promise.resolve();

  function write(): void {
    timer = undefined;
    const text = JSON.stringify({ format, records: [...records.values()] });
    written = written.then(() => replaceFile(path, text));
    // The next `append`, or `close`, reports the failure.
    written.catch(() => {});
  }

  return {
    entries: [...records.values()],
    async append(entries) {
      for (const entry of entries) {
        if (entry[2] === null) records.delete(keyOf(entry));
        else records.set(keyOf(entry), entry);
      }
      if (timer !== undefined) return;
      timer = setTimeout(write, writeDelayMs);
      await written;
    },
    async close() {
      if (timer !== undefined) {
        clearTimeout(timer);
        write();
      }
      await written;
    },
  };
}

const keyOf = ([collection, id]: JournalEntry): string => JSON.stringify([collection, id]);

async function readRecords(path: string): Promise<readonly JournalEntry[]> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw unusable(path, error);
  });
  if (text === undefined) return [];
  try {
    return v.parse(Content, JSON.parse(text)).records;
  } catch (cause) {
    const message = `${path} is not a data file of this version of the sandbox; choose another file, or remove it.`;
    throw new DataFileError('foreign', message, { cause });
  }
}

async function replaceFile(path: string, text: string): Promise<void> {
  const draft = `${path}.draft`;
  try {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(draft, text, { mode: 0o600 });
    await rename(draft, path);
  } catch (error) {
    throw unusable(path, error);
  }
}

const unusable = (path: string, cause: unknown): DataFileError =>
  new DataFileError('unusable', `The data file ${path} cannot be used: ${(cause as Error).message}.`, {
    cause,
  });
