import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { onTestFinished } from 'vitest';
import { startSandboxServer } from '../../../server-kit/sandbox/node/index.ts';
import { seededRandom } from '../sandbox/sandbox-kit.ts';
import { createFront } from './front.ts';
import type { CallLine, ShopDatabase, ShopSettings } from './shop-process.ts';

export type Shop = Awaited<ReturnType<typeof createShop>>;

/**
 * A shop of several processes on one database behind one front, and the service that it deals with, in this process.
 * All of it goes with the test.
 *
 * @param file the built `shop-process.ts`
 */
export async function createShop(file: string, database: ShopDatabase) {
  const folder = await mkdtemp(join(tmpdir(), 'transfer-checkout-kill-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const callsFile = join(folder, 'calls.jsonl');
  writeFileSync(callsFile, '');
  const front = await createFront();
  const service = await startSandboxServer({ port: 0, random: seededRandom(), confirmationSeconds: 1 });
  onTestFinished(service.close);
  const { sandbox } = service;
  const note = (line: CallLine): void => appendFileSync(callsFile, `${JSON.stringify(line)}\n`);
  const children: ChildProcess[] = [];
  const complaints: string[] = [];

  /** Starts the instance of this place, and resolves when it is up, or was killed. */
  async function start(place: number, options: Partial<ShopSettings> = {}): Promise<void> {
    const settings: ShopSettings = {
      ...{ database, callsFile, serviceUrl: service.url, publicUrl: front.url },
      ...{ aheadMs: sandbox.now() - Date.now(), handlerLeaseMs: 30_000, diesWhen: null },
      ...options,
    };
    const child = spawn(process.execPath, [file, JSON.stringify(settings)], {
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    children[place] = child;
    createInterface(child.stderr).on('line', (line) => complaints.push(`${child.pid}: ${line}`));
    const lines = createInterface(child.stdout);
    lines.once('line', (port) => {
      if (children[place] === child && !isOver(child)) front.ports[place] = Number(port);
    });
    child.once('exit', () => {
      if (children[place] === child) front.ports[place] = undefined;
    });
    await Promise.race([once(lines, 'line'), once(child, 'exit')]);
    if (child.exitCode !== null)
      throw new Error(`A server has ended instead of starting: ${child.exitCode}.`);
  }

  /** Resolves when the process is gone. */
  async function kill(place: number): Promise<void> {
    const child = children[place];
    if (child?.pid === undefined) throw new Error(`No process is at ${place}.`);
    front.ports[place] = undefined;
    const exited = untilExit(child);
    child.kill('SIGKILL');
    await exited;
    note({ at: 'killed', pid: child.pid });
  }

  return {
    sandbox,
    url: front.url,
    start,
    kill,
    /** Lets all that runs end by itself, and gives the exit codes. */
    async stop(): Promise<(number | null)[]> {
      const running = children.filter((child) => !isOver(child));
      for (const { stdin } of running) stdin?.end();
      return Promise.all(running.map(untilExit));
    },
    exited: (place: number): Promise<number | null> => untilExit(children[place] as ChildProcess),
    /** What the servers have complained of: on a slow machine, there may be something. */
    complaints: (): string => complaints.join('\n'),
    /** What all handlers have done so far, in the order in which they did it. */
    calls: (): CallLine[] =>
      readFileSync(callsFile, 'utf8')
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line) as CallLine),
  };
}

const isOver = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode !== null || signalCode !== null;

async function untilExit(child: ChildProcess): Promise<number | null> {
  if (!isOver(child)) await once(child, 'exit');
  return child.exitCode;
}
