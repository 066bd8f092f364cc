import * as v from 'valibot';
import type { JournalEntry } from '../storage/storage.ts';
import { DataFileError } from './data-file-error.ts';

/** The first line of every data file. */
const header = { format: 'transfer-checkout sandbox', version: 1 } as const;

const Header = v.object({ format: v.literal(header.format), version: v.number() });
/** As much of a record as can be known without knowing its kind. */
const Entry = v.pipe(
  v.strictTuple([v.string(), v.string(), v.nullable(v.custom<{ id: unknown }>(isObject))]),
  v.check(([, id, record]) => record === null || record.id === id),
);

/** A line holds what was written at once, so that all of it is there after a crash, or nothing. */
const Line = v.array(Entry);

export const writeLine = (entries: readonly JournalEntry[]): string => `${JSON.stringify(entries)}\n`;

/** How much is written at once, in characters. */
const pieceLength = 1_000_000;

/** The text of a whole file, a line for each entry, in pieces: all of it may be too long for one text. */
export function* writeEntries(entries: Iterable<JournalEntry>): Generator<string> {
  let piece = `${JSON.stringify(header)}\n`;
  for (const entry of entries) {
    piece += writeLine([entry]);
    if (piece.length < pieceLength) continue;
    yield piece;
    piece = '';
  }
  yield piece;
}

/**
 * The last entry of each record that is not gone, in the order in which the records came about.
 *
 * A last line without its end was cut off while it was written, and nobody was told that it is kept: it is left out.
 *
 * @param bytes the whole file in pieces; none for a new one
 * @throws {DataFileError} `foreign`, `newer`, `damaged` naming the line
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

/** Each line, and whether its end is there. */
async function* linesOf(
  bytes: AsyncIterable<Uint8Array>,
): AsyncGenerator<{ line: Uint8Array; isWhole: boolean }> {
  let begun: Uint8Array[] = [];
  for await (const piece of bytes) {
    let start = 0;
    for (let end = piece.indexOf(0x0a); end !== -1; end = piece.indexOf(0x0a, start)) {
      yield { line: Buffer.concat([...begun, piece.subarray(start, end)]), isWhole: true };
      begun = [];
      start = end + 1;
    }
    if (start < piece.length) begun.push(piece.subarray(start));
  }
  if (begun.length > 0) yield { line: Buffer.concat(begun), isWhole: false };
}

const parseLine = (line: Uint8Array): JournalEntry[] | undefined => parseJson(Line, line);

function noEntries(isWhole: boolean, line: number, file: string): JournalEntry[] {
  if (!isWhole) return [];
  const message = `Line ${line} of ${file} is damaged; restore the file from a copy, or remove that line and lose what it holds.`;
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

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}
