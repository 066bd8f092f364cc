import { readFile } from 'node:fs/promises';
import { type Command, Option } from 'commander';
import { raceAbort } from '../../async/wait.ts';
import { UsageError } from './cli-error.ts';
import type { Io } from './io.ts';

export type BodyOptions = { body?: string; bodyFile?: string };

export const addBodyOptions = (command: Command): Command =>
  command
    .option('--body <json>', 'the body')
    .addOption(
      new Option('--body-file <file>', 'a file with the body; - for standard input').conflicts('body'),
    );

/**
 * The text of the body, or `undefined` where none is given.
 *
 * @throws {UsageError} for a file that cannot be read, and for bytes that are not UTF-8
 */
export async function readBody({ body, bodyFile }: BodyOptions, io: Io): Promise<string | undefined> {
  return bodyFile === undefined ? body : readText(bodyFile, io);
}

/** @throws {UsageError} also where no body is given */
export async function requireBody(options: BodyOptions, io: Io): Promise<string> {
  const body = await readBody(options, io);
  if (body === undefined) throw new UsageError('The body is missing; pass --body or --body-file.');
  return body;
}

/** The text of a file, or for `-` of standard input, which Ctrl-C breaks off. */
export async function readText(
  file: string,
  { stdin, signal }: Pick<Io, 'stdin' | 'signal'>,
): Promise<string> {
  const name = file === '-' ? 'Standard input' : file;
  const bytes = file === '-' ? await raceAbort(readAll(stdin), signal) : await readBytes(file);
  try {
    // What is signed is every byte: a byte order mark must not be lost on the way.
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw new UsageError(`${name} is not text in UTF-8; save it as such.`, { cause });
  }
}

async function readBytes(file: string): Promise<Uint8Array> {
  try {
    return await readFile(file);
  } catch (cause) {
    throw new UsageError(`The file cannot be read: ${(cause as Error).message}`, { cause });
  }
}

async function readAll(chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  for await (const chunk of chunks) parts.push(chunk);
  return Buffer.concat(parts);
}

/** @throws {UsageError} with the place of the mistake */
export function parseJson(text: string, name: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new UsageError(`${name} is not JSON: ${(cause as Error).message}`, { cause });
  }
}
