import type { Wait } from '../../async/wait.ts';

/** Where text goes: `process.stdout`, or a list in a test. */
export type Output = {
  write: (text: string) => unknown;
  /** Whether a person watches. Only then there are colours, unless `FORCE_COLOR` asks for them. */
  isTTY?: boolean;
  /** The width of the terminal, in characters. */
  columns?: number;
};

/** Everything that a command reaches outside of itself. */
export type Io = {
  stdout: Output;
  stderr: Output;
  stdin: AsyncIterable<Uint8Array>;
  env: Readonly<Record<string, string | undefined>>;
  fetch: typeof globalThis.fetch;
  /** Milliseconds since the epoch. */
  now: () => number;
  wait: Wait;
  /** From 0 up to, not including, 1. */
  random: () => number;
  /** Aborts when the user ends the command with Ctrl-C. */
  signal: AbortSignal;
};
