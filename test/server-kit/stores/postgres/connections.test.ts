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

const kinds: readonly CallerKind[] = ['store with its own pool', 'store on the merchant’s pool'];

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

/** Waits until the process has made another call. */
async function untilNext(report: () => Promise<CallerReport>): Promise<void> {
  const { succeeded } = await report();
  // Not with `expect.poll`, which would retry after the process has ended.
  while ((await report()).succeeded === succeeded) await pause(10);
}

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
    it.each(kinds)('survives and continues: %s', async (kind) => {
      const { connectionString } = await createSchema();
      const proxy = await createTcpProxy(connectionString);
      const { child, report } = startCallers({ connectionString: proxy.url, kind });
      await untilNext(report);
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
      await untilNext(report);
      expect(await end(child)).toBe(0);
    });
  },
);
