import * as v from 'valibot';
import type { JournalEntry } from '../storage.ts';
import { DataFileError } from './data-file-error.ts';

/** The first line of every data file. */
const header = { format: 'transfer-checkout sandbox', version: 1 } as const;

const Header = v.object({ format: v.literal(header.format), version: v.number() });
const Entry = v.strictTuple([v.string(), v.string(), v.custom<unknown>((record) => record !== undefined)]);

/** A line holds what was written at once, so that all of it is there after a crash, or nothing. */
const Line = v.array(Entry);

export const writeLine = (entries: readonly JournalEntry[]): string => `${JSON.stringify(entries)}\n`;

/** The text of a whole file: a line for each entry. */
export const writeEntries = (entries: readonly JournalEntry[]): string =>
  [`${JSON.stringify(header)}\n`, ...entries.map((entry) => writeLine([entry]))].join('');

/**
 * The last entry of each record that is not gone, in the order in which the records came about.
 *
 * A last line without its end was cut off while it was written, and nobody was told that it is kept: it is left out.
 *
 * @param bytes the whole file; none for a new one
 * @throws {DataFileError} `foreign`, `newer`, `damaged` naming the line
 */
export function readEntries(bytes: Uint8Array, file: string): JournalEntry[] {
  if (bytes.length === 0) return [];
  const lines = [...linesOf(bytes)];
  checkHeader(lines.shift(), file);
  const records = new Map<string, JournalEntry>();
  for (const [index, { line, isWhole }] of lines.entries()) {
    for (const entry of parseLine(line) ?? noEntries(isWhole, index + 2, file)) {
      const key = JSON.stringify(entry.slice(0, 2));
      if (entry[2] === null) records.delete(key);
      else records.set(key, entry);
    }
  }
  return [...records.values()];
}

/** Each line, and whether its end is there. */
function* linesOf(bytes: Uint8Array): Generator<{ line: Uint8Array; isWhole: boolean }> {
  for (let start = 0; start < bytes.length; ) {
    const found = bytes.indexOf(0x0a, start);
    const end = found === -1 ? bytes.length : found;
    yield { line: bytes.subarray(start, end), isWhole: found !== -1 };
    start = end + 1;
  }
}

const parseLine = (line: Uint8Array): JournalEntry[] | undefined => parseJson(Line, line);

function noEntries(isWhole: boolean, line: number, file: string): JournalEntry[] {
  if (!isWhole) return [];
  const message = `Line ${line} of ${file} is damaged; restore the file from a copy, or remove that line and lose what it holds.`;
  throw new DataFileError('damaged', message);
}

function checkHeader(first: { line: Uint8Array } | undefined, file: string): void {
  const found = first && parseJson(Header, first.line);
  if (found === undefined) {
    throw new DataFileError('foreign', `${file} is not a data file of the sandbox; choose another file.`);
  }
  if (found.version === header.version) return;
  const message = `${file} has format ${found.version}, and this version reads ${header.version}; update transfer-checkout, or choose another file.`;
  throw new DataFileError('newer', message);
}

/** `undefined` for bytes that are not UTF-8, not JSON, or not what the schema says. */
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
