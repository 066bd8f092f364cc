import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import { onTestFinished } from 'vitest';
import { startSandboxServer } from '../../../server-kit/tools/sandbox/node/index.ts';
import { seededRandom } from '../tools/sandbox/sandbox-kit.ts';
import { createLoadBalancer } from './load-balancer.ts';
import type { CallLine, Holdings, ShopDatabase, ShopRequest, ShopSettings } from './shop-process.ts';

export type Shop = Awaited<ReturnType<typeof createShop>>;

/**
 * Creates a shop of several processes with one database behind a load balancer, and the service in this process. Everything ends
 * with the test.
 *
 * @param file the built `shop-process.ts`
 */
export async function createShop(file: string, database: ShopDatabase) {
  const folder = await mkdtemp(join(tmpdir(), 'transfer-checkout-kill-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const callsFile = join(folder, 'calls.jsonl');
  writeFileSync(callsFile, '');
  const loadBalancer = await createLoadBalancer();
  const service = await startSandboxServer({ port: 0, random: seededRandom(), confirmationSeconds: 1 });
  onTestFinished(service.close);
  const { sandbox } = service;
  const note = (line: CallLine): void => appendFileSync(callsFile, `${JSON.stringify(line)}\n`);
  const children: ChildProcess[] = [];
  const outputs: Interface[] = [];
  const complaints: string[] = [];

  /** Starts an instance, and resolves when it is running or was killed. */
  async function start(index: number, options: Partial<ShopSettings> = {}): Promise<void> {
    const settings: ShopSettings = {
      database,
      callsFile,
      serviceUrl: service.url,
      publicUrl: loadBalancer.url,
      aheadMs: sandbox.now() - Date.now(),
      handlerLeaseMs: 30_000,
      killAt: null,
      ...options,
    };
    const child = spawn(process.execPath, [file, JSON.stringify(settings)], {
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    children[index] = child;
    createInterface(child.stderr).on('line', (line) => complaints.push(`${child.pid}: ${line}`));
    const lines = createInterface(child.stdout);
    outputs[index] = lines;
    lines.once('line', (port) => {
      if (children[index] === child && !isOver(child)) loadBalancer.ports[index] = Number(port);
    });
    child.once('exit', () => {
      if (children[index] === child) loadBalancer.ports[index] = undefined;
    });
    await Promise.race([once(lines, 'line'), once(child, 'exit')]);
    if (child.exitCode !== null)
      throw new Error(`The server exited with code ${child.exitCode} instead of starting.`);
  }

  const tell = (index: number, request: ShopRequest): void =>
    void children[index]?.stdin?.write(`${JSON.stringify(request)}\n`);

  async function kill(index: number): Promise<void> {
    const child = children[index];
    if (child?.pid === undefined) throw new Error(`There is no instance ${index}.`);
    loadBalancer.ports[index] = undefined;
    const exited = untilExit(child);
    child.kill('SIGKILL');
    await exited;
    note({ at: 'killed', pid: child.pid });
  }

  return {
    sandbox,
    url: loadBalancer.url,
    start,
    kill,
    async stop(): Promise<(number | null)[]> {
      const running = children.filter((child) => !isOver(child));
      for (const { stdin } of running) stdin?.end();
      return Promise.all(running.map(untilExit));
    },
    setClock(index: number): void {
      tell(index, { aheadMs: sandbox.now() - Date.now() });
    },
    async measure(index: number): Promise<Holdings> {
      const measured = once(outputs[index] as Interface, 'line');
      tell(index, 'measure');
      return JSON.parse((await measured)[0]) as Holdings;
    },
    exited: (index: number): Promise<number | null> => untilExit(children[index] as ChildProcess),
    /** What the servers wrote to stderr. On a slow machine, this may not be empty. */
    complaints: (): string => complaints.join('\n'),
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
