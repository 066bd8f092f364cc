import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';

/** A program, and all that it starts. */
export type BoundProcess = {
  /** What it says. It ends with the program. */
  readonly output: Readable;
  readonly stop: () => Promise<void>;
};

/** Waits for the end of its own input, and takes its whole process group along. */
const script = '"$@" </dev/null 2>/dev/null & exec >&-; read -r _; kill -TERM 0';

/**
 * Starts a program that ends with this process, also where nobody comes to call `stop`: with us ends the input of the
 * shell that has started it.
 */
export function startBound(command: readonly string[], env: Record<string, string> = {}): BoundProcess {
  const shell = spawn('sh', ['-c', script, 'sh', ...command], {
    env: { ...process.env, ...env },
    detached: true,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const exited = once(shell, 'exit');
  return {
    output: shell.stdout,
    async stop() {
      shell.stdin.end();
      await exited;
    },
  };
}
