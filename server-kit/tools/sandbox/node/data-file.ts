import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import * as v from 'valibot';
import type { JournalEntry, Storage } from '../state/storage.ts';

/** A storage in a file. */
export type DataFile = Storage & {
  /** Resolves when everything is written. Rejects when that has failed. */
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

/**
 * Opens a JSON file for the sandbox's records, and creates it with the first of them. The whole file is replaced before `append` resolves,
 * so that a killed process loses nothing that was responded to, and leaves no damaged file. One process at a time may use it.
 *
 * @throws {DataFileError} `foreign`, or `unusable` for a failed system call
 */
export async function openDataFile(path: string): Promise<DataFile> {
  const records = new Map((await readRecords(path)).map((entry) => [keyOf(entry), entry]));
  let written = Promise.resolve();

  return {
    entries: [...records.values()],
    append(entries) {
      for (const entry of entries) {
        if (entry[2] === null) records.delete(keyOf(entry));
        else records.set(keyOf(entry), entry);
      }
      written = replaceFile(path, JSON.stringify({ format, records: [...records.values()] }));
      return written;
    },
    close: () => written,
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
