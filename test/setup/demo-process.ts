import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export const projectFolder = fileURLToPath(new URL('../..', import.meta.url));

export type DemoProcess = {
  /** `http://localhost:<port>` */
  url: string;
  /** Ends it as Ctrl-C does. */
  stop: () => Promise<void>;
  /** Ends it as a loss of power does, or with another signal. Gives its exit code, `null` where the signal has ended it. */
  kill: (signal?: NodeJS.Signals) => Promise<number | null>;
};

/**
 * Starts the demo on a free port, and resolves when it has printed its addresses.
 *
 * @param command `npm start`, or the built server alone
 */
export async function startDemo(
  command: readonly [string, ...string[]],
  env: Record<string, string> = {},
): Promise<DemoProcess> {
  const [program, ...args] = command;
  // The test runner's own NODE_ENV would build other files than a user's `npm start` does.
  const { NODE_ENV: _, ...userEnv } = process.env;
  const child = spawn(program, args, {
    cwd: projectFolder,
    env: { ...userEnv, ...env, PORT: '0' },
    // A process group of its own, so that npm's children end with it.
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
