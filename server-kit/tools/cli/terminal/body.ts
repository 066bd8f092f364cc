import { readFile } from 'node:fs/promises';
import { type Command, Option } from 'commander';
import { raceAbort } from '../../../client/async/wait.ts';
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
 * Reads the text of the body; `undefined` for none.
 *
 * @throws {UsageError} for a file that cannot be read, and for bytes that are not UTF-8
 */
export async function readBody({ body, bodyFile }: BodyOptions, io: Io): Promise<string | undefined> {
  return bodyFile === undefined ? body : readText(bodyFile, io);
}

/** @throws {UsageError} as `readBody`, and for a missing body */
export async function requireBody(options: BodyOptions, io: Io): Promise<string> {
  const body = await readBody(options, io);
  if (body === undefined) throw new UsageError('The body is missing; pass --body or --body-file.');
  return body;
}

/** Reads a file, or for `-` standard input until Ctrl-C. */
export async function readText(
  file: string,
  { stdin, signal }: Pick<Io, 'stdin' | 'signal'>,
): Promise<string> {
  const name = file === '-' ? 'Standard input' : file;
  const bytes = file === '-' ? await raceAbort(readAll(stdin), signal) : await readBytes(file);
  try {
    // Every byte is signed, so that a byte order mark must be kept.
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw new UsageError(`${name} is not UTF-8 text; save it as UTF-8.`, { cause });
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

/** @throws {UsageError} with the position of the error */
export function parseJson(text: string, name: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new UsageError(`${name} is not JSON: ${(cause as Error).message}`, { cause });
  }
}
