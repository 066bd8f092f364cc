import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { buildForNode } from '../../kit/build-for-node.ts';
import { hasPostgres } from '../../kit/services.ts';
import { createTcpProxy } from '../../kit/tcp-proxy.ts';
import type { CallerKind, CallerReport, CallerSettings } from './caller-process.ts';
import { createSchema } from './postgres-kit.ts';

let built: Awaited<ReturnType<typeof buildForNode>>;
beforeAll(async () => {
  built = await buildForNode(new URL('./caller-process.ts', import.meta.url));
});
afterAll(() => built.remove());

const kinds: readonly CallerKind[] = [
  'store with its own pool',
  'store on the merchant’s pool',
  'bus',
  'limiter',
];

/** Starts a process that calls a database continuously. It ends with the test. */
function startCallers(settings: CallerSettings) {
  const child = spawn(process.execPath, [built.file, JSON.stringify(settings)]);
  onTestFinished(() => void child.kill('SIGKILL'));
  let complaint = '';
  child.stderr.on('data', (text) => {
    complaint += text;
  });
  child.stdin.on('error', () => {});
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  /** @throws {Error} with the stderr of the process, if it has ended */
  const report = async (): Promise<CallerReport> => {
    child.stdin.write('\n');
    const { value, done } = await lines.next();
    if (done) throw new Error(`The process has ended: ${complaint}`);
    return JSON.parse(value) as CallerReport;
  };
  return { child, report };
}

const end = async (child: ChildProcess): Promise<number | null> => {
  const exited = once(child, 'exit');
  child.stdin?.end();
  await exited;
  return child.exitCode;
};

/** Waits until the process has counted this many more. */
async function untilMore(
  report: () => Promise<CallerReport>,
  what: keyof CallerReport,
  least: number,
): Promise<void> {
  const { [what]: before } = await report();
  // Not with `expect.poll`, which would retry after the process has ended.
  while ((await report())[what] - before < least) await pause(10);
}

describe.skipIf(!(await hasPostgres()))('a process whose connections PostgreSQL ends', () => {
  it.each(kinds)('survives and continues: %s', async (kind) => {
    const { pool, connectionString, schema } = await createSchema();
    const { child, report } = startCallers({ connectionString, kind, callers: kind === 'bus' ? 1 : 15 });
    await untilMore(report, 'succeeded', 1);
    let before = 0;
    for (let round = 0; round < 60; round++) {
      before = (await report()).succeeded;
      await pool.query(
        'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = $1 AND pid <> pg_backend_pid()',
        [schema],
      );
    }
    const least = before + (kind === 'bus' ? 1 : 30);
    while ((await report()).succeeded < least) await pause(10);
    if (kind !== 'limiter') expect((await report()).failed).toBeGreaterThan(0);
    expect(await end(child)).toBe(0);
  });
});

/** A message of PostgreSQL's protocol: its type, its length with the length itself, and its content. */
function message(type: string, content: string): Buffer {
  const head = Buffer.alloc(5);
  head.write(type);
  head.writeInt32BE(Buffer.byteLength(content) + 4, 1);
  return Buffer.concat([head, Buffer.from(content)]);
}

const readyForQuery = message('Z', 'I');
const adminShutdown = message('E', 'SFATAL\0VFATAL\0C57P01\0Mterminating connection\0\0');

describe.skipIf(!(await hasPostgres()))(
  'a process whose connections end in the chunk that says they are ready',
  () => {
    it.each(kinds.filter((kind) => kind !== 'limiter'))('survives and continues: %s', async (kind) => {
      const { connectionString } = await createSchema();
      const proxy = await createTcpProxy(connectionString);
      const { child, report } = startCallers({ connectionString: proxy.url, kind, callers: 1 });
      await untilMore(report, 'succeeded', 1);
      let ended = 0;
      proxy.endAfter(readyForQuery, () => {
        ended++;
        return adminShutdown;
      });
      while (ended < 5) {
        await report();
        await pause(10);
      }
      proxy.restore();
      await untilMore(report, 'succeeded', 1);
      expect(await end(child)).toBe(0);
    });
  },
);
