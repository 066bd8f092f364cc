import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { parseWebUrl } from '../../../src/contract/index.ts';
import { escapeControls } from '../../core/errors.ts';
import type { Wait } from '../../core/time.ts';
import { raceAbort } from '../../engine/wait.ts';
import { parseObject } from '../sandbox/input/json-object.ts';

/** An output stream: `process.stdout`, or a list in a test. */
type Output = { write: (text: string) => unknown; isTTY?: boolean; columns?: number };

export type Io = {
  stdout: Output;
  stderr: Output;
  stdin: AsyncIterable<Uint8Array>;
  env: Readonly<Record<string, string | undefined>>;
  fetch: typeof globalThis.fetch;
  now: () => number;
  wait: Wait;
  /** From 0 up to, not including, 1. */
  random: () => number;
  /** Aborts when the user ends the command with Ctrl-C. */
  signal: AbortSignal;
};

/** A failed command. `code` is for programs (`--json`): `usage` if nothing was done; the message tells people what to do. */
export class CliError extends Error {
  override readonly name = 'CliError';
  readonly code: string;

  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

const colours = { red: 31, green: 32, yellow: 33 } as const;

export type Printer = ReturnType<typeof createPrinter>;

export function createPrinter({ stdout, stderr, env }: Io, isJson = false) {
  const hasColours = showsColours(stdout, env);
  return {
    /** Prints the result on standard output: one line of JSON, or the lines of text. */
    print: (value: object, lines: readonly string[]) =>
      void stdout.write(isJson ? `${toJson(value)}\n` : lines.map((line) => `${line}\n`).join('')),
    note: (note: string) => void stderr.write(isJson ? `${toJson({ note })}\n` : `${note}\n`),
    paint: (colour: keyof typeof colours, text: string) =>
      hasColours ? `\u001b[${colours[colour]}m${text}\u001b[39m` : text,
  };
}

/** Decides as Node does: by `FORCE_COLOR`, then `NO_COLOR` (no-color.org), then whether the output is a terminal. */
function showsColours({ isTTY = false }: Output, env: Io['env']): boolean {
  if (env.FORCE_COLOR !== undefined) return !['0', 'false'].includes(env.FORCE_COLOR);
  return isTTY && !env.NO_COLOR && env.TERM !== 'dumb';
}

/** JSON has the same escapes for these characters. */
const toJson = (value: object): string => escapeControls(JSON.stringify(value));

/** Escapes control characters of foreign text, except line ends and tabs. */
export const printable = (text: string): string => text.replace(/[^\n\t]+/g, escapeControls);

export type Row = readonly [name: string, value: string | undefined];

/** Formats names and values in two columns, without the values that are `undefined`. */
export function toLines(rows: readonly Row[]): string[] {
  const shown = rows.flatMap(([name, value]) => (value === undefined ? [] : [{ name, value }]));
  const width = Math.max(...shown.map(({ name }) => name.length)) + 2;
  return shown.map(({ name, value }) => printable(`  ${name.padEnd(width)}${value}`));
}

export const defaultPort = 4010;
export const defaultSandboxUrl: string = `http://localhost:${defaultPort}`;

/** Adds examples to the help: command lines without the program's name. */
export function addExamples(command: Command, ...examples: readonly string[]): void {
  const lines = examples.map((example) => `\n  $ transfer-checkout ${example}`);
  command.addHelpText('after', `\nExamples:${lines.join('')}`);
}

export function addJsonOption(command: Command, ...examples: readonly string[]): void {
  command.option('--json', 'print JSON, one value on each line; errors too, on standard error');
  addExamples(command, ...examples);
}

/** Validates an absolute http(s) URL and returns it unchanged, because it can be part of the signed text. */
export function readUrl(text: string): string {
  if (parseWebUrl(text) !== undefined) return text;
  throw new InvalidArgumentError('It must be an http(s) URL, such as http://localhost:3000/callbacks.');
}

export const readBaseUrl = (text: string): string => readUrl(text).replace(/\/+$/, '');

const matching =
  (pattern: RegExp, hint: string) =>
  (text: string): string => {
    if (pattern.test(text)) return text;
    throw new InvalidArgumentError(hint);
  };

export const readTimestamp = matching(/^\d{10}$/, 'It must be UNIX seconds: ten digits.');

/** Validates a received header; an empty one counts as missing. */
export const readHeader = matching(/^[\x20-\x7e]*$/, 'It must be one header value, in ASCII.');

export const readWholeNumber =
  (least: number, most: number) =>
  (text: string): number => {
    const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
    if (value >= least && value <= most) return value;
    throw new InvalidArgumentError(`It must be a whole number from ${least} to ${most}.`);
  };

export type BodyOptions = { body?: string; bodyFile?: string };

export const addBodyOptions = (command: Command): Command =>
  command
    .option('--body <json>', 'the body')
    .addOption(
      new Option('--body-file <file>', 'a file with the body; - for standard input').conflicts('body'),
    );

export const readBody = async ({ body, bodyFile }: BodyOptions, io: Io): Promise<string | undefined> =>
  bodyFile === undefined ? body : readText(bodyFile, io);

export async function requireBody(options: BodyOptions, io: Io): Promise<string> {
  const body = await readBody(options, io);
  if (body === undefined) throw new CliError('usage', 'The body is missing; pass --body or --body-file.');
  return body;
}

/** Reads a file, or for `-` standard input until Ctrl-C. */
export async function readText(file: string, { stdin, signal }: Io): Promise<string> {
  try {
    const bytes = file === '-' ? await raceAbort(buffer(stdin), signal) : await readFile(file);
    // Every byte is signed, so that a byte order mark must be kept.
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    const name = file === '-' ? 'Standard input' : file;
    const message = `${name} cannot be read as UTF-8 text: ${(cause as Error).message}`;
    throw new CliError('usage', message, { cause });
  }
}

/** Parses a JSON object that every parser reads in the same way. */
export function readObject(text: string, name: string): object {
  try {
    return parseObject(text) as object;
  } catch (cause) {
    throw new CliError('usage', `${name}: ${(cause as Error).message}`, { cause });
  }
}
