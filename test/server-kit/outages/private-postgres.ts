import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { chown, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { freePort } from '../../setup/reserve-port.ts';

const run = promisify(execFile);

/** A server of this test's own, which can be paused and restarted without harm to others. */
export type PrivatePostgres = Awaited<ReturnType<typeof startPostgres>>;

export const hasPrograms = (): boolean => findPrograms() !== undefined;

/** @throws {Error} where the program is not installed */
export async function startPostgres() {
  const bin = findPrograms();
  if (bin === undefined) throw new Error('PostgreSQL is not installed.');
  const folder = await mkdtemp(join(tmpdir(), 'transfer-checkout-postgres-'));
  const user = await findUser();
  if (user !== undefined) await chown(folder, user.uid, user.gid);
  const data = join(folder, 'data');
  await run(join(bin, 'initdb'), ['-D', data, '-U', 'postgres', '--auth=trust', '--encoding=UTF8'], user);
  const port = await freePort();
  const args = ['-D', data, '-p', String(port), '-h', '127.0.0.1', '-k', folder, '-c', 'fsync=off'];
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  /** Resolves when it can be used. */
  const start = async (): Promise<ChildProcess> => {
    const started = spawn(join(bin, 'postgres'), args, { stdio: 'ignore', ...user });
    while (!(await isUp(url))) {
      if (started.exitCode !== null) throw new Error(`PostgreSQL has not started: ${started.exitCode}.`);
      await pause(50);
    }
    return started;
  };
  let child = await start();
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    const exited = once(child, 'exit');
    child.kill(signal);
    await exited;
  };
  const signalAll = async (signal: NodeJS.Signals): Promise<void> => {
    // The parent first when it stops, so that no child comes after the others are listed.
    child.kill(signal);
    for (const pid of await childrenOf(child)) signalOne(pid, signal);
  };
  return {
    url,
    /** Suspends all of its processes until `resume`. */
    pause: () => signalAll('SIGSTOP'),
    resume: () => signalAll('SIGCONT'),
    /** Ends it with this signal, and restarts it with its data on disk. */
    async restart(signal: NodeJS.Signals): Promise<void> {
      await end(signal);
      child = await start();
    },
    async close(): Promise<void> {
      await end('SIGQUIT');
      await rm(folder, { recursive: true });
    },
  };
}

function findPrograms(): string | undefined {
  const root = '/usr/lib/postgresql';
  const versions = existsSync(root)
    ? readdirSync(root).sort((left, right) => Number(right) - Number(left))
    : [];
  return versions
    .map((version) => join(root, version, 'bin'))
    .find((bin) => existsSync(join(bin, 'postgres')));
}

/** PostgreSQL refuses to run as root. */
async function findUser(): Promise<{ uid: number; gid: number } | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const id = async (flag: string): Promise<number> => Number((await run('id', [flag, 'postgres'])).stdout);
  return { uid: await id('-u'), gid: await id('-g') };
}

/** A child may have ended since it was listed. */
function signalOne(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

async function childrenOf({ pid }: ChildProcess): Promise<number[]> {
  const { stdout } = await run('ps', ['-o', 'pid=', '--ppid', String(pid)]).catch(() => ({ stdout: '' }));
  return stdout.split('\n').filter(Boolean).map(Number);
}

/** A PostgreSQL that is starting up accepts connections, and refuses them then. */
const isUp = async (url: string): Promise<boolean> => {
  const client = new Client({ connectionString: url });
  client.on('error', () => {});
  return client.connect().then(
    () => client.end().then(() => true),
    () => false,
  );
};
