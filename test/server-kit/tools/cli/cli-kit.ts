import { Buffer } from 'node:buffer';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { run } from '../../../../server-kit/tools/cli/run.ts';
import type { Io } from '../../../../server-kit/tools/cli/terminal.ts';
import {
  type SandboxServerOptions,
  startSandboxServer,
} from '../../../../server-kit/tools/sandbox/node/index.ts';
import { serverNow } from '../../kit/fault-server.ts';
import { seededRandom } from '../sandbox/sandbox-kit.ts';

/** Creates the environment of a command, and collects its output. */
export function createTestIo(more: Partial<Io> = {}) {
  const output = { stdout: '', stderr: '' };
  const io: Io = {
    stdout: { write: (text) => (output.stdout += text) },
    stderr: { write: (text) => (output.stderr += text) },
    stdin: stdinOf(''),
    env: {},
    fetch: globalThis.fetch,
    now: () => serverNow,
    // Pauses before another attempt end at once, the time-outs of requests never.
    wait: (ms) => (ms < 10_000 ? Promise.resolve() : new Promise(() => {})),
    random: seededRandom(),
    signal: new AbortController().signal,
    ...more,
  };
  return { io, output };
}

export type CliResult = { code: number; stdout: string; stderr: string };

export async function runCli(args: readonly string[], more: Partial<Io> = {}): Promise<CliResult> {
  const { io, output } = createTestIo(more);
  const code = await run(args, io);
  return { code, ...output };
}

/** What a command prints with `--json`. */
// biome-ignore lint/suspicious/noExplicitAny: tests read any of its fields
export async function runJson(args: readonly string[], more: Partial<Io> = {}): Promise<any> {
  return JSON.parse((await runCli([...args, '--json'], more)).stdout);
}

/** The value beside a name in the two columns that commands print. */
export const rowOf = (stdout: string, name: string): string | undefined =>
  new RegExp(`^  ${name}  +(.*)$`, 'm').exec(stdout)?.[1];

export async function* stdinOf(...parts: (string | Uint8Array)[]): AsyncGenerator<Uint8Array> {
  for (const part of parts) yield Buffer.from(part);
}

/** A new file, gone after the test. */
export async function newFile(content: string | Uint8Array, name = 'file.json'): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'cli-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, name);
  await writeFile(path, content);
  return path;
}

/** A real sandbox on a free port, closed after the test. Its clock stands at `serverNow`. */
export async function startTestSandbox(options: Partial<SandboxServerOptions> = {}) {
  const server = await startSandboxServer({
    port: 0,
    now: () => serverNow,
    random: seededRandom(),
    ...options,
  });
  onTestFinished(server.close);
  return server;
}
