import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import * as v from 'valibot';
import type { Storage, StoredRecord } from '../state/storage.ts';

/** A data file that cannot be used: it is not one of this version (`foreign`), or a system call failed (`unusable`). It is not changed. */
export class DataFileError extends Error {
  override readonly name = 'DataFileError';
  readonly code: 'foreign' | 'unusable';

  constructor(code: 'foreign' | 'unusable', message: string, cause: unknown) {
    super(message, { cause });
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
export async function openDataFile(path: string): Promise<Storage> {
  const records = new Map((await readRecords(path)).map((entry) => [keyOf(entry), entry]));
  return {
    entries: [...records.values()],
    append(entries) {
      for (const entry of entries) {
        if (entry[2] === null) records.delete(keyOf(entry));
        else records.set(keyOf(entry), entry);
      }
      return replaceFile(path, JSON.stringify({ format, records: [...records.values()] }));
    },
  };
}

const keyOf = ([collection, id]: StoredRecord): string => JSON.stringify([collection, id]);

async function readRecords(path: string): Promise<readonly StoredRecord[]> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw unusable(path, error);
  });
  if (text === undefined) return [];
  try {
    return v.parse(Content, JSON.parse(text)).records;
  } catch (cause) {
    const message = `${path} is not a data file of this version of the sandbox; choose another file, or remove it.`;
    throw new DataFileError('foreign', message, cause);
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
  new DataFileError('unusable', `The data file ${path} cannot be used: ${(cause as Error).message}.`, cause);
