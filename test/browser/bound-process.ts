import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';

/** A program and the processes that it starts. */
export type BoundProcess = {
  /** Its output, which ends with the program. */
  readonly output: Readable;
  readonly stop: () => Promise<void>;
};

/** A shell command that waits for the end of its input, and then ends its process group. */
const script = '"$@" </dev/null 2>/dev/null & exec >&-; read -r _; kill -TERM 0';

/**
 * Starts a program that ends with this process, even when `stop` is never called: the input of the shell that started it ends with
 * this process.
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
