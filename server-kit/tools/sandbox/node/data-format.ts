import { createReadStream } from 'node:fs';
import * as v from 'valibot';
import type { JournalEntry } from '../storage/storage.ts';
import { DataFileError } from './data-file-error.ts';

/** The first line of every data file. */
const header = { format: 'transfer-checkout sandbox', version: 1 } as const;

const Header = v.object({ format: v.literal(header.format), version: v.number() });

/** Validates what all kinds of record share. */
const Entry = v.pipe(
  v.strictTuple([v.string(), v.string(), v.any()]),
  v.check(([, id, record]) => record === null || record.id === id),
);

/** A line has the entries of one write, so that after a crash all of them are there, or none. */
const Line = v.array(Entry);

/** The size of one read, in bytes, and of one write, in entries. A whole file can be too long for one string. */
const bytesPerRead = 1_000_000;
const entriesPerWrite = 100;

export const writeLine = (entries: readonly JournalEntry[]): string => `${JSON.stringify(entries)}\n`;

/** Returns the text of a whole file in chunks. */
export function* writeEntries(entries: readonly JournalEntry[]): Generator<string> {
  yield `${JSON.stringify(header)}\n`;
  for (let start = 0; start < entries.length; start += entriesPerWrite) {
    const part = entries.slice(start, start + entriesPerWrite);
    yield part.map((entry) => writeLine([entry])).join('');
  }
}

/**
 * Returns the last entry of each existing record, in the order in which the records were created. An incomplete last line
 * was never reported as stored and is ignored. An empty file has no entries.
 *
 * @throws {DataFileError} `foreign`, `newer`, or `damaged` with the line
 */
export async function readEntries(file: string): Promise<JournalEntry[]> {
  const records = new Map<string, JournalEntry>();
  let number = 0;
  for await (const { line, isWhole } of linesOf(file)) {
    number++;
    if (number === 1) {
      checkHeader(line, file);
      continue;
    }
    for (const entry of parse(Line, line) ?? noEntries(isWhole, number, file)) {
      const key = JSON.stringify(entry.slice(0, 2));
      if (entry[2] === null) records.delete(key);
      else records.set(key, entry);
    }
  }
  return [...records.values()];
}

/** Returns each line, and whether it is complete. */
async function* linesOf(file: string): AsyncGenerator<{ line: Buffer; isWhole: boolean }> {
  let rest = Buffer.alloc(0);
  for await (const chunk of createReadStream(file, { highWaterMark: bytesPerRead })) {
    const bytes = Buffer.concat([rest, chunk]);
    let start = 0;
    for (let end = bytes.indexOf('\n'); end !== -1; end = bytes.indexOf('\n', start)) {
      yield { line: bytes.subarray(start, end), isWhole: true };
      start = end + 1;
    }
    rest = bytes.subarray(start);
  }
  if (rest.length > 0) yield { line: rest, isWhole: false };
}

function noEntries(isWhole: boolean, line: number, file: string): JournalEntry[] {
  if (!isWhole) return [];
  const message = `Line ${line} of ${file} is damaged; restore the file from a copy, or remove that line with its records.`;
  throw new DataFileError('damaged', message);
}

function checkHeader(line: Buffer, file: string): void {
  const found = parse(Header, line);
  if (found === undefined) {
    throw new DataFileError('foreign', `${file} is not a data file of the sandbox; choose another file.`);
  }
  if (found.version === header.version) return;
  const message = `${file} has format ${found.version}, and this version reads ${header.version}; update transfer-checkout, or choose another file.`;
  throw new DataFileError('newer', message);
}

/** Returns `undefined` for bytes that are not UTF-8, not JSON, or invalid for the schema. */
function parse<Schema extends v.GenericSchema>(
  schema: Schema,
  bytes: Buffer,
): v.InferOutput<Schema> | undefined {
  try {
    return v.parse(schema, JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)));
  } catch {
    return undefined;
  }
}
