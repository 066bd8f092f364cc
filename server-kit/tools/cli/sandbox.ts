import type { Command } from 'commander';
import { sandboxCredentials } from '../../engine/published-keys.ts';
import { whenAborted } from '../../engine/wait.ts';
import { type Fixtures, type LoggedRequest, readFixtures } from '../sandbox/index.ts';
import { maxSeconds } from '../sandbox/input/fields.ts';
import { startSandboxServer } from '../sandbox/node/index.ts';
import { isLoopback } from '../sandbox/node/loopback.ts';
import {
  addJsonOption,
  CliError,
  createPrinter,
  defaultPort,
  type Io,
  type Printer,
  printable,
  readText,
  readWholeNumber,
  toLines,
} from './terminal.ts';

/** Those that only the command has. The others are those of the server. */
type OwnOptions = { data?: string; fixtures?: string; allowedHost?: string[] } & {
  [Flag in 'frozen' | 'quiet' | 'json']?: boolean;
};
type SandboxOptions = OwnOptions & { port: number; host: string };

export function addSandboxCommand(program: Command, io: Io): void {
  const command = program
    .command('sandbox')
    .summary('run the payments service on this machine')
    .description(
      'Runs the payments service on this machine, with a control panel; no money moves. Logs each request, with the reason ' +
        'for a refusal, and each callback. Press Ctrl-C to stop.',
    )
    .option('--port <port>', 'the port; 0 for any free one', readWholeNumber(0, 65_535), defaultPort)
    .option('--host <address>', 'the address to listen on; 0.0.0.0 for all', '127.0.0.1')
    .option(
      '--allowed-host <names...>',
      'further names by which others reach it, such as sandbox or 10.0.0.7',
    )
    .option('--base-path <path>', 'the prefix of all paths, such as /service')
    .option('--data <file>', 'a file that keeps the records across restarts')
    .option('--fixtures <file>', 'JSON with initial records; ignored when --data already has records')
    .option(
      '--confirmation-seconds <seconds>',
      'how long a payment stays charged before it is succeeded',
      readWholeNumber(0, maxSeconds),
      0,
    )
    .option('--lenient', 'ignore unknown fields in requests instead of refusing them')
    .option('--frozen', 'start with a frozen clock')
    .option('--quiet', 'do not log requests and callbacks')
    .action((options: SandboxOptions) => runSandbox(options, io));
  addJsonOption(
    command,
    'sandbox',
    'sandbox --port 4011 --data sandbox.json',
    'sandbox --host 0.0.0.0 --allowed-host sandbox 192.168.1.7',
    'sandbox --json --quiet',
  );
}

async function runSandbox(options: SandboxOptions, io: Io): Promise<void> {
  const { allowedHost, data, fixtures, quiet, frozen, json, ...more } = options;
  const { now, wait, random } = io;
  const printer = createPrinter(io, json);
  const server = await startSandboxServer({
    ...more,
    allowedHosts: allowedHost,
    dataFile: data,
    fixtures: fixtures === undefined ? undefined : await readFixtureFile(fixtures, io),
    // The sandbox fetches nothing but its callbacks.
    fetch: quiet ? io.fetch : logCallbacks(io, printer),
    onRequest: quiet ? undefined : (request) => logRequest(request, printer),
    now,
    wait,
    random,
  });
  try {
    if (frozen) server.sandbox.control.setClock({ frozen: true });
    printReady(server.url, options, printer);
    await new Promise<void>((resolve) => whenAborted(io.signal, resolve));
  } finally {
    await server.close();
  }
}

async function readFixtureFile(file: string, io: Io): Promise<Fixtures> {
  try {
    return readFixtures(JSON.parse(await readText(file, io)));
  } catch (cause) {
    const message = `The fixtures in ${file} cannot be used. ${(cause as Error).message}`;
    throw new CliError('fixtures_wrong', message, { cause });
  }
}

function printReady(url: string, options: SandboxOptions, { print, note }: Printer): void {
  const { data, host, allowedHost } = options;
  const panel = `${url}/_sandbox/panel/`;
  print({ url, panel, ...sandboxCredentials, data: data ?? null }, [
    'The sandbox is ready. Press Ctrl-C to stop.',
    '',
    ...toLines([
      ['Payments service', url],
      ['Control panel', panel],
      ...Object.entries(sandboxCredentials),
      ['Records', data ?? 'in memory; --data FILE keeps them'],
    ]),
    '',
  ]);
  if (isLoopback(host)) return;
  note('Anyone who can reach this machine can use the sandbox, because its secrets are public.');
  if (allowedHost === undefined)
    note('It responds only at localhost; pass the names and addresses that others use as --allowed-host.');
}

type Logged = { at: string; status: number | null; durationMs: number | null };

/** Returns a line of the log. Others choose what is requested, so that is escaped. */
function toLogLine({ at, status, durationMs }: Logged, requested: string, { paint }: Printer): string {
  const result = paint(status === null || status >= 300 ? 'red' : 'green', String(status ?? 'no response'));
  return `${at.slice(11, 19)}  ${printable(requested)}  ${result}  ${durationMs} ms`;
}

function logRequest(request: LoggedRequest, printer: Printer): void {
  const { method, path, query, error, signature } = request;
  const requested = `${method.padEnd(4)} ${path}${query && '?'}${query}`;
  const why = error === null ? [] : [`${error.code}: ${error.message}`, ...(signature?.hints ?? [])];
  const reasons = why.map((reason) => `          ${printer.paint('yellow', printable(reason))}`);
  printer.print(request, [toLogLine(request, requested, printer), ...reasons]);
}

function logCallbacks({ fetch, now }: Io, printer: Printer): typeof globalThis.fetch {
  return async (target, init) => {
    const { event: callback } = JSON.parse(String(init?.body)) as { event: string };
    const startedMs = now();
    const called = { at: new Date(startedMs).toISOString(), callback, url: String(target) };
    let status: number | null = null;
    try {
      const response = await fetch(target, init);
      status = response.status;
      return response;
    } finally {
      const made = { ...called, status, durationMs: now() - startedMs };
      printer.print(made, [toLogLine(made, `callback ${callback}  ${made.url}`, printer)]);
    }
  };
}
