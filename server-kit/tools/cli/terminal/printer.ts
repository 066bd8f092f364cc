import { escapeControls } from '../../../client/errors/control-characters.ts';
import type { Io, Output } from './io.ts';

const colours = { red: 31, green: 32, yellow: 33, grey: 90 } as const;
type Colour = keyof typeof colours;

/** Prints for people, or with `--json` for programs. */
export type Printer = {
  /** Prints the result on standard output: one line of JSON, or the lines of text. */
  print: (value: object, lines: readonly string[]) => void;
  /** Prints a note on standard error. */
  note: (text: string) => void;
  /** Colours a text for standard output. */
  paint: (colour: Colour, text: string) => string;
};

export function createPrinter({ stdout, stderr, env }: Io, isJson = false): Printer {
  const hasColours = showsColours(stdout, env);
  return {
    print: (value, lines) => {
      stdout.write(isJson ? `${toJson(value)}\n` : lines.map((line) => `${line}\n`).join(''));
    },
    note: (text) => {
      stderr.write(isJson ? `${toJson({ note: text })}\n` : `${text}\n`);
    },
    paint: (colour, text) => (hasColours ? `\u001b[${colours[colour]}m${text}\u001b[39m` : text),
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

/** Formats names and values in two columns, without the values that are `undefined`. */
export function toRows(rows: readonly (readonly [name: string, value: string | undefined])[]): string[] {
  const shown = rows.flatMap(([name, value]) => (value === undefined ? [] : [{ name, value }]));
  const width = Math.max(...shown.map(({ name }) => name.length)) + 2;
  return shown.map(({ name, value }) => `  ${name.padEnd(width)}${printable(value)}`);
}
