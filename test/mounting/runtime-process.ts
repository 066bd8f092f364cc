import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';

export type RuntimeProcess = {
  /** All that it has written so far. */
  output: () => string;
  /** Asks it to end as a platform does, and gives its exit code; `null` for one that a signal has ended. */
  stop: () => Promise<number | null>;
  /** Ends it, with its children, whatever it does. */
  kill: () => Promise<void>;
};

export type RuntimeCommand = {
  command: readonly [string, ...string[]];
  folder: string;
  env: Record<string, string>;
};

/** Starts a process, and resolves when it answers at `url`. */
export async function startRuntime(
  { command: [program, ...args], folder, env }: RuntimeCommand,
  url: string,
): Promise<RuntimeProcess> {
  // A process group of its own, so that its children end with it.
  const child = spawn(program, args, { cwd: folder, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  const exited = once(child, 'exit') as Promise<[number | null]>;
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const kill = async (): Promise<void> => {
    if (child.pid === undefined) return;
    try {
      process.kill(-child.pid, 'SIGKILL');
    } catch {
      // All of the group has ended.
    }
    await exited;
  };
  try {
    await untilItAnswers(url, exited);
  } catch (cause) {
    await kill();
    throw new Error(`${[program, ...args].join(' ')} does not serve ${url}:\n${output}`, { cause });
  }
  return {
    output: () => output,
    async stop() {
      child.kill('SIGTERM');
      const [code] = await exited;
      return code;
    },
    kill,
  };
}

/** Looks again and again: the runtimes have no way in common to say that they serve. */
async function untilItAnswers(url: string, exited: Promise<[number | null]>): Promise<void> {
  let code: number | null | undefined;
  exited.then(
    ([given]) => {
      code = given;
    },
    () => {
      code = null;
    },
  );
  while (code === undefined) {
    const isThere = await fetch(url, { signal: AbortSignal.timeout(5000) }).then(
      () => true,
      () => false,
    );
    if (isThere) return;
    await pause(50);
  }
  throw new Error(`It ended with ${code}.`);
}
