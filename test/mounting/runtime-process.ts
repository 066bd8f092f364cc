import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';

export type RuntimeProcess = {
  /** Everything that it has written to stdout and stderr. */
  output: () => string;
  /** Sends SIGTERM, as a platform does, and returns the exit code; null if a signal ended the process. */
  stop: () => Promise<number | null>;
  /** Kills it and its children. */
  kill: () => Promise<void>;
};

export type RuntimeCommand = {
  command: readonly [string, ...string[]];
  folder: string;
  env: NodeJS.ProcessEnv;
};

/** Starts a process, and resolves when it responds at all of these addresses. */
export async function startRuntime(
  { command: [program, ...args], folder, env }: RuntimeCommand,
  ...urls: readonly string[]
): Promise<RuntimeProcess> {
  // A separate process group, so that `kill` also ends its children.
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
      // The whole group has exited.
    }
    await exited;
  };
  try {
    await Promise.all(urls.map((url) => untilItResponds(url, exited)));
  } catch (cause) {
    await kill();
    throw new Error(`${[program, ...args].join(' ')} does not respond at ${urls.join(' and ')}:\n${output}`, {
      cause,
    });
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

/** Polls, because the runtimes have no common way to signal that they are ready. */
async function untilItResponds(url: string, exited: Promise<[number | null]>): Promise<void> {
  let code: number | null | undefined;
  exited.then(
    ([exitCode]) => {
      code = exitCode;
    },
    () => {
      code = null;
    },
  );
  while (code === undefined) {
    const isReady = await fetch(url, { signal: AbortSignal.timeout(5000) }).then(
      // A proxy is up before what it stands in front of.
      ({ status }) => status !== 502,
      () => false,
    );
    if (isReady) return;
    await pause(50);
  }
  throw new Error(`The process exited with code ${code}.`);
}
