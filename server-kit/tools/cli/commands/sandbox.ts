import type { Command } from 'commander';
import { isLoopback } from '../../../client/http/host-names.ts';
import { sandboxCredentials } from '../../../client/signing/guessable-keys.ts';
import { type Fixtures, type LoggedRequest, readFixtures } from '../../sandbox/index.ts';
import { maxSeconds } from '../../sandbox/input/fields.ts';
import { type SandboxServer, type SandboxServerOptions, startSandboxServer } from '../../sandbox/node/index.ts';
import { parseJson, readText } from '../terminal/body.ts';
import { CliError } from '../terminal/cli-error.ts';
import type { Io } from '../terminal/io.ts';
import { addJsonOption, defaultPort, readWholeNumber } from '../terminal/options.ts';
import { createPrinter, type Printer, printable, toRows } from '../terminal/printer.ts';

type SandboxCommandOptions = {
  port: number;
  host: string;
  allowedHost?: string[];
  data?: string;
  fixtures?: string;
  basePath?: string;
  lenient?: boolean;
  confirmationSeconds?: number;
  frozen?: boolean;
  quiet?: boolean;
  json?: boolean;
};

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
      'further host names and addresses by which others reach it, such as sandbox for containers',
    )
    .option('--base-path <path>', 'the prefix of all paths, such as /service')
    .option('--data <file>', 'a file that keeps the records across restarts')
    .option('--fixtures <file>', 'JSON with initial records; ignored when --data already has records')
    .option(
      '--confirmation-seconds <seconds>',
      'how long a payment stays charged before it is succeeded (default: 0, at once)',
      readWholeNumber(0, maxSeconds),
    )
    .option('--lenient', 'ignore unknown fields in requests instead of refusing them')
    .option('--frozen', 'start with a frozen clock')
    .option('--quiet', 'do not log requests and callbacks')
    .action((options: SandboxCommandOptions) => runSandbox(options, io));
  addJsonOption(command).addHelpText('after', examples);
}

const examples = `
Examples:
  $ transfer-checkout sandbox
  $ transfer-checkout sandbox --port 4011 --data sandbox.json
  $ transfer-checkout sandbox --host 0.0.0.0 --allowed-host sandbox 192.168.1.7
  $ transfer-checkout sandbox --json --quiet`;

async function runSandbox(options: SandboxCommandOptions, io: Io): Promise<void> {
  const printer = createPrinter(io, options.json);
  const server = await startSandboxServer(await toServerOptions(options, io, printer));
  try {
    if (options.frozen) server.sandbox.control.setClock({ frozen: true });
    printReady(server, options, printer);
    await untilAborted(io.signal);
  } finally {
    await server.close();
  }
}

async function toServerOptions(
  options: SandboxCommandOptions,
  io: Io,
  printer: Printer,
): Promise<SandboxServerOptions> {
  const { port, host, allowedHost, data, fixtures, basePath, confirmationSeconds, quiet } = options;
  const { lenient = false } = options;
  const { now, wait, random } = io;
  return {
    port,
    host,
    lenient,
    // The sandbox fetches nothing but its callbacks.
    fetch: quiet ? io.fetch : logCallbacks(io, printer),
    now,
    wait,
    random,
    ...(quiet ? {} : { onRequest: (request) => logRequest(request, printer) }),
    ...(allowedHost !== undefined && { allowedHosts: allowedHost }),
    ...(basePath !== undefined && { basePath }),
    ...(confirmationSeconds !== undefined && { confirmationSeconds }),
    ...(data !== undefined && { dataFile: data }),
    ...(fixtures !== undefined && { fixtures: await readFixtureFile(fixtures, io) }),
  };
}

/** @throws {CliError} `fixtures_wrong`, with the position */
async function readFixtureFile(file: string, io: Io): Promise<Fixtures> {
  try {
    return readFixtures(parseJson(await readText(file, io), 'It'));
  } catch (cause) {
    const message = `The fixtures in ${file} cannot be used. ${(cause as Error).message}`;
    throw new CliError('fixtures_wrong', message, { cause });
  }
}

function printReady(
  { url }: SandboxServer,
  { data, host, allowedHost }: SandboxCommandOptions,
  { print, note }: Printer,
): void {
  const { apiKey, apiSecret, authToken } = sandboxCredentials;
  const panel = `${url}/_sandbox/panel/`;
  print({ url, panel, apiKey, apiSecret, authToken, data: data ?? null }, [
    'The sandbox is ready. Press Ctrl-C to stop.',
    '',
    ...toRows([
      ['Payments service', url],
      ['Control panel', panel],
      ['apiKey', apiKey],
      ['apiSecret', apiSecret],
      ['authToken', authToken],
      ['Records', data ?? 'in memory; --data FILE keeps them'],
    ]),
    '',
  ]);
  if (!isLoopback(host)) {
    note('Anyone who can reach this machine can use the sandbox, because its secrets are public.');
    if (allowedHost === undefined)
      note('It responds only at localhost; pass the names and addresses that others use as --allowed-host.');
  }
}

function logRequest(request: LoggedRequest, { print, paint }: Printer): void {
  const { at, method, path, query, status, durationMs, error, signature } = request;
  const target = printable(query === '' ? path : `${path}?${query}`);
  const isRefused = status === null || status >= 400;
  const line = `${at.slice(11, 19)}  ${method.padEnd(4)} ${target}  ${paint(isRefused ? 'red' : 'green', String(status))}  ${durationMs} ms`;
  const why = error === null ? [] : [`${error.code}: ${error.message}`, ...(signature?.hints ?? [])];
  print(request, [line, ...why.map((reason) => `          ${paint('yellow', printable(reason))}`)]);
}

function logCallbacks({ fetch, now }: Io, { print, paint }: Printer): typeof globalThis.fetch {
  return async (target, init) => {
    const url = String(target);
    const { event } = JSON.parse(String(init?.body)) as { event: string };
    const startedMs = now();
    const at = new Date(startedMs).toISOString();
    const log = (status: number | null): void => {
      const durationMs = now() - startedMs;
      const isAccepted = status !== null && status < 300;
      const result = paint(isAccepted ? 'green' : 'red', status === null ? 'no response' : String(status));
      const line = `${at.slice(11, 19)}  callback ${printable(event)}  ${printable(url)}  ${result}  ${durationMs} ms`;
      print({ at, callback: event, url, status, durationMs }, [line]);
    };
    try {
      const response = await fetch(target, init);
      log(response.status);
      return response;
    } catch (error) {
      log(null);
      throw error;
    }
  };
}

function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
