import type { Wait } from '../../../client/async/wait.ts';

/** An output stream: `process.stdout`, or a list in a test. */
export type Output = {
  write: (text: string) => unknown;
  /** Whether it is a terminal. Only a terminal gets colours, unless `FORCE_COLOR` is set. */
  isTTY?: boolean;
  /** The width of the terminal, in characters. */
  columns?: number;
};

/** The environment of a command. */
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
