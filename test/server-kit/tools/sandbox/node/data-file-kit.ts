import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { onTestFinished } from 'vitest';

/** A folder that goes with the test. */
export async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'transfer-checkout-data-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

export type TestProcess = {
  pid: number;
  /** The next line that it writes; `undefined` at its end. */
  line: () => Promise<string | undefined>;
  say: (line: string) => void;
  kill: (signal: NodeJS.Signals) => Promise<void>;
};

/**
 * Runs a script in a separate process. The script gets the built `module` as `kit`, its arguments as `args`, and
 * writes lines with `print`.
 */
export async function runProcess(
  module: string,
  script: string,
  args: readonly string[],
  shell = 'exec "$@"',
): Promise<TestProcess> {
  const folder = await mkdtemp(join(tmpdir(), 'transfer-checkout-script-'));
  const file = join(folder, 'script.mjs');
  await writeFile(
    file,
    `import * as kit from ${JSON.stringify(module)};
     import { createInterface } from 'node:readline';
     const args = process.argv.slice(2);
     const print = (line) => process.stdout.write(line + '\\n');
     const input = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
     const readLine = async () => (await input.next()).value;
     ${script}`,
  );
  const child: ChildProcessByStdio<Writable, Readable, null> = spawn(
    'bash',
    ['-c', shell, 'bash', process.execPath, file, ...args],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  );
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await exited;
    await rm(folder, { recursive: true });
  });
  return {
    pid: child.pid ?? 0,
    line: readLines(child.stdout),
    say: (line) => void child.stdin.write(`${line}\n`),
    async kill(signal) {
      child.kill(signal);
      await exited;
    },
  };
}

function readLines(stream: Readable): () => Promise<string | undefined> {
  const lines = (async function* () {
    let rest = '';
    for await (const chunk of stream.setEncoding('utf8')) {
      const parts = (rest + chunk).split('\n');
      rest = parts.pop() ?? '';
      yield* parts;
    }
  })();
  return async () => (await lines.next()).value ?? undefined;
}
