import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export const projectFolder = fileURLToPath(new URL('../..', import.meta.url));

export type DemoProcess = {
  /** `http://localhost:<port>` */
  url: string;
  /** Stops it with SIGINT, as Ctrl-C does. */
  stop: () => Promise<void>;
  /** Kills it, by default with SIGKILL. Resolves with its exit code, or `null` when the signal ended it. */
  kill: (signal?: NodeJS.Signals) => Promise<number | null>;
};

/**
 * Starts the demo on a free port. Resolves when it has printed its addresses.
 *
 * @param command `npm start`, or the built server alone
 */
export async function startDemo(
  command: readonly [string, ...string[]],
  env: Record<string, string> = {},
): Promise<DemoProcess> {
  const [program, ...args] = command;
  // Vitest sets NODE_ENV, which would change the build.
  const { NODE_ENV: _, ...userEnv } = process.env;
  const child = spawn(program, args, {
    cwd: projectFolder,
    env: { ...userEnv, ...env, PORT: '0' },
    // Its own process group, so that npm's children end with it.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const url = await readUrl(child, command.join(' '));
  const kill: DemoProcess['kill'] = async (signal = 'SIGKILL') => {
    if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined)
      return child.exitCode;
    const exited = once(child, 'exit');
    process.kill(-child.pid, signal);
    const [code] = await exited;
    return code;
  };
  return { url, kill, stop: async () => void (await kill('SIGTERM')) };
}

export const builtServer = ['node', 'build/demo/server.js'] as const;

function readUrl(child: ChildProcess, command: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = '';
    const read = (chunk: Buffer): void => {
      output += chunk;
      const url = /Shop +(http:\S+?)\/\s/.exec(output)?.[1];
      if (url !== undefined) resolve(url);
    };
    child.stdout?.on('data', read);
    child.stderr?.on('data', read);
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`"${command}" ended with ${code}:\n${output}`)));
  });
}
