import type { Io, Output } from './io.ts';

const colours = { red: 31, green: 32, yellow: 33, grey: 90 } as const;
type Colour = keyof typeof colours;

/** How a command speaks: to people, or with `--json` to programs. */
export type Printer = {
  /** What the command has found out, on standard output: one line of JSON, or the lines of text. */
  print: (value: object, lines: readonly string[]) => void;
  /** What the user should know besides, on standard error. */
  note: (text: string) => void;
  /** Colours a text for standard output. */
  paint: (colour: Colour, text: string) => string;
};

export function createPrinter({ stdout, stderr, env }: Io, isJson = false): Printer {
  const hasColours = showsColours(stdout, env);
  return {
    print: (value, lines) => {
      stdout.write(isJson ? `${JSON.stringify(value)}\n` : lines.map((line) => `${line}\n`).join(''));
    },
    note: (text) => {
      stderr.write(isJson ? `${JSON.stringify({ note: text })}\n` : `${text}\n`);
    },
    paint: (colour, text) => (hasColours ? `\u001b[${colours[colour]}m${text}\u001b[39m` : text),
  };
}

/** As Node does it: `FORCE_COLOR` decides, then `NO_COLOR` (no-color.org), then whether it is a terminal. */
function showsColours({ isTTY = false }: Output, env: Io['env']): boolean {
  if (env.FORCE_COLOR !== undefined) return !['0', 'false'].includes(env.FORCE_COLOR);
  return isTTY && !env.NO_COLOR && env.TERM !== 'dumb';
}

/** A text from elsewhere without what a terminal would obey: it may have been made to hide or to fake lines. */
export const printable = (text: string): string =>
  text.replace(
    /[^\P{Cc}\n\t]|[\u202a-\u202e\u2066-\u2069]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

/** Names and values below each other, in two columns. A value that is `undefined` is left out. */
export function toRows(rows: readonly (readonly [name: string, value: string | undefined])[]): string[] {
  const shown = rows.flatMap(([name, value]) => (value === undefined ? [] : [{ name, value }]));
  const width = Math.max(...shown.map(({ name }) => name.length)) + 2;
  return shown.map(({ name, value }) => `  ${name.padEnd(width)}${printable(value)}`);
}
