import * as v from 'valibot';
import type { JournalEntry } from '../storage/storage.ts';
import { DataFileError } from './data-file-error.ts';

/** The first line of every data file. */
const header = { format: 'transfer-checkout sandbox', version: 1 } as const;

const Header = v.object({ format: v.literal(header.format), version: v.number() });
/** Validates what all kinds of record share. */
const Entry = v.pipe(
  v.strictTuple([v.string(), v.string(), v.nullable(v.custom<{ id: unknown }>(isObject))]),
  v.check(([, id, record]) => record === null || record.id === id),
);

/** A line has the entries of one write, so that after a crash all of them are there, or none. */
const Line = v.array(Entry);

export const writeLine = (entries: readonly JournalEntry[]): string => `${JSON.stringify(entries)}\n`;

/** The size of one write, in characters. */
const chunkLength = 1_000_000;

/** Returns the text of a whole file in chunks, because it can be too long for one string. */
export function* writeEntries(entries: Iterable<JournalEntry>): Generator<string> {
  let chunk = `${JSON.stringify(header)}\n`;
  for (const entry of entries) {
    chunk += writeLine([entry]);
    if (chunk.length < chunkLength) continue;
    yield chunk;
    chunk = '';
  }
  yield chunk;
}

/**
 * Returns the last entry of each existing record, in the order in which the records were created. An incomplete last line
 * was never reported as stored and is ignored.
 *
 * @param bytes the file in chunks; none for a new file
 * @throws {DataFileError} `foreign`, `newer`, or `damaged` with the line
 */
export async function readEntries(bytes: AsyncIterable<Uint8Array>, file: string): Promise<JournalEntry[]> {
  const records = new Map<string, JournalEntry>();
  let number = 0;
  for await (const { line, isWhole } of linesOf(bytes)) {
    number++;
    if (number === 1) {
      checkHeader(line, file);
      continue;
    }
    for (const entry of parseLine(line) ?? noEntries(isWhole, number, file)) {
      const key = JSON.stringify(entry.slice(0, 2));
      if (entry[2] === null) records.delete(key);
      else records.set(key, entry);
    }
  }
  return [...records.values()];
}

/** Returns each line, and whether it is complete. */
async function* linesOf(
  bytes: AsyncIterable<Uint8Array>,
): AsyncGenerator<{ line: Uint8Array; isWhole: boolean }> {
  let partial: Uint8Array[] = [];
  for await (const chunk of bytes) {
    let start = 0;
    for (let end = chunk.indexOf(0x0a); end !== -1; end = chunk.indexOf(0x0a, start)) {
      yield { line: Buffer.concat([...partial, chunk.subarray(start, end)]), isWhole: true };
      partial = [];
      start = end + 1;
    }
    if (start < chunk.length) partial.push(chunk.subarray(start));
  }
  if (partial.length > 0) yield { line: Buffer.concat(partial), isWhole: false };
}

const parseLine = (line: Uint8Array): JournalEntry[] | undefined => parseJson(Line, line);

function noEntries(isWhole: boolean, line: number, file: string): JournalEntry[] {
  if (!isWhole) return [];
  const message = `Line ${line} of ${file} is damaged; restore the file from a copy, or remove that line with its records.`;
  throw new DataFileError('damaged', message);
}

function checkHeader(line: Uint8Array, file: string): void {
  const found = parseJson(Header, line);
  if (found === undefined) {
    throw new DataFileError('foreign', `${file} is not a data file of the sandbox; choose another file.`);
  }
  if (found.version === header.version) return;
  const message = `${file} has format ${found.version}, and this version reads ${header.version}; update transfer-checkout, or choose another file.`;
  throw new DataFileError('newer', message);
}

/** Returns `undefined` for bytes that are not UTF-8, not JSON, or invalid for the schema. */
function parseJson<Schema extends v.GenericSchema>(
  schema: Schema,
  bytes: Uint8Array,
): v.InferOutput<Schema> | undefined {
  try {
    return v.parse(schema, JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)));
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}
