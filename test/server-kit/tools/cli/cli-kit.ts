import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { run } from '../../../../server-kit/tools/cli/run.ts';
import type { Io } from '../../../../server-kit/tools/cli/terminal.ts';
import { createSandbox, type SandboxOptions } from '../../../../server-kit/tools/sandbox/index.ts';
import { serverNow } from '../../kit/fault-server.ts';

/** Arguments, or a text of them, separated by spaces. */
type Args = string | readonly string[];
const toList = (args: Args): readonly string[] => (typeof args === 'string' ? args.split(' ') : args);

/** Starts a command, and collects its output. Without `fetch`, there is no network. */
export function startCli(args: Args, more: Partial<Io> = {}) {
  const output = { stdout: '', stderr: '' };
  const io: Io = {
    stdout: { write: (text) => (output.stdout += text) },
    stderr: { write: (text) => (output.stderr += text) },
    stdin: stdinOf(''),
    env: {},
    fetch: failingFetch,
    now: () => serverNow,
    // Pauses before another attempt end at once, the time-outs of requests never.
    wait: (ms) => (ms < 10_000 ? Promise.resolve() : new Promise(() => {})),
    random: () => 0.5,
    signal: new AbortController().signal,
    ...more,
  };
  return { output, code: run(toList(args), io) };
}

export type CliResult = { code: number; stdout: string; stderr: string };

export async function runCli(args: Args, more?: Partial<Io>): Promise<CliResult> {
  const { code, output } = startCli(args, more);
  return { code: await code, ...output };
}

/** What a command prints with `--json`. */
// biome-ignore lint/suspicious/noExplicitAny: tests read any of its fields
export async function runJson(args: Args, more?: Partial<Io>): Promise<any> {
  return JSON.parse((await runCli([...toList(args), '--json'], more)).stdout);
}

export const rowOf = (stdout: string, name: string): string | undefined =>
  new RegExp(`^  ${name}  +(.*)$`, 'm').exec(stdout)?.[1];

export async function* stdinOf(...parts: (string | Uint8Array)[]): AsyncGenerator<Uint8Array> {
  for (const part of parts) yield Buffer.from(part);
}

export async function newFile(content: string | Uint8Array, name = 'file.json'): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'cli-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, name);
  await writeFile(path, content);
  return path;
}

export const failingFetch = async (): Promise<Response> => {
  throw new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED') });
};

/** A server that always responds with this, and the requests that it got. */
export function respondWith(status: number, body: BodyInit | null = null, headers = {}) {
  const seen: Request[] = [];
  const fetch: Io['fetch'] = async (url, init) => {
    seen.push(new Request(url, init));
    return new Response(body, { status, headers });
  };
  return { fetch, seen };
}

/** A sandbox behind `fetch`, whose receiver responds with `status`. A wait of the command lets it send its callbacks. */
export function createTestSandbox(status = 204, options: SandboxOptions = {}) {
  const { fetch: receive, seen } = respondWith(status);
  const sandbox = createSandbox({ now: () => serverNow, fetch: receive, ...options });
  const wait: Io['wait'] = (ms) => (ms < 10_000 ? sandbox.settled() : new Promise(() => {}));
  return { sandbox, seen, io: { fetch: sandbox.fetch, wait } };
}
