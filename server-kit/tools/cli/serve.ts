import type { Command } from 'commander';
import { sandboxCredentials } from '../../engine/published-keys.ts';
import { whenAborted } from '../../engine/wait.ts';
import { checkShop } from '../../serve/check-shop.ts';
import { startServe } from '../../serve/server.ts';
import { type Environment, readEnvironment, readSettings, type Settings } from '../../serve/settings.ts';
import { type SandboxServer, type SandboxServerOptions, startSandboxServer } from '../sandbox/node/index.ts';
import { addExamples, CliError, createPrinter, type Io, toLines } from './terminal.ts';
import { createTrialShop, trialUrls } from './trial-shop.ts';

type ServeCommandOptions = { envFile: string; sandbox?: boolean; check?: boolean };

export function addServeCommand(program: Command, io: Io): void {
  const command = program
    .command('serve')
    .summary('run the checkout for a shop in any language')
    .description(
      'Runs the checkout as a process beside your shop. It asks ORDER_URL which order a shopper pays, and reports each outcome to ' +
        'WEBHOOK_URL until your shop has taken it. It is configured by the environment, and by a .env file. Press Ctrl-C to stop.',
    )
    .option('--env-file <file>', 'a file with variables, which the environment overrides', '.env')
    .option('--sandbox', 'run the payments service in this process; without ORDER_URL, a trial shop too')
    .option('--check', 'check the configuration, send a test request to ORDER_URL and WEBHOOK_URL, and stop')
    .action((options: ServeCommandOptions) => serve(options, io));
  addExamples(command, 'serve --sandbox', 'serve --check', 'serve');
}

async function serve({ envFile, sandbox, check }: ServeCommandOptions, io: Io): Promise<void> {
  const env = await readEnvironment(io.env, envFile);
  const trial = sandbox ? await startTrial(env, io) : undefined;
  try {
    const settings = readSettings({ ...trial?.variables, ...env });
    if (check) return await checkConfiguration(settings, io);
    const print = (line: string): void => void io.stdout.write(`${line}\n`);
    const server = await startServe(settings, { fetch: io.fetch, now: io.now, print, before: trial?.shop });
    const at = new Date(io.now()).toISOString();
    print(JSON.stringify({ at, level: 'info', type: 'listening', url: server.url }));
    if (trial) {
      const lines = toLines([
        ['Open', settings.PUBLIC_URL],
        ['Send money', trial.panelUrl],
      ]);
      io.stderr.write(`${lines.join('\n')}\n`);
    }
    await new Promise<void>((resolve) => whenAborted(io.signal, resolve));
    await server.close();
  } finally {
    await trial?.close();
  }
}

/** Starts the sandbox, and returns the variables that a first try needs. Without a shop it has records of its own. */
async function startTrial(env: Environment, io: Io) {
  const { now, wait, random, fetch } = io;
  const { PORT = '4243', ORDER_URL } = env;
  const hasShop = ORDER_URL !== undefined;
  const { DATABASE_URL = hasShop ? 'file:checkout.db' : 'file:checkout-trial.db' } = env;
  const [, dataFile] = /^file:(.+)/.exec(DATABASE_URL) ?? [];
  const sandbox = await startNear(Number(PORT), {
    // Accounts that are kept need a sandbox that knows them.
    ...(dataFile !== undefined && { dataFile: `${dataFile}.sandbox.json` }),
    fetch,
    now,
    wait,
    random,
  });
  const origin = `http://localhost:${PORT}`;
  const panelUrl = `${sandbox.url}/_sandbox/panel/`;
  return {
    variables: {
      PAYMENTS_URL: sandbox.url,
      PAYMENTS_API_KEY: sandboxCredentials.apiKey,
      PAYMENTS_API_SECRET: sandboxCredentials.apiSecret,
      PUBLIC_URL: origin,
      CLIENT_SECRET_KEYS: 'for-a-first-try-and-nothing-else',
      DATABASE_URL,
      ...(!hasShop && {
        WEBHOOK_SECRET: `whsec_${btoa('for-a-first-try-and-nothing-else')}`,
        ...trialUrls(origin),
      }),
    },
    shop: hasShop ? undefined : createTrialShop(panelUrl, random),
    panelUrl,
    close: sandbox.close,
  };
}

/** At the port after that of the process, so that a link to the panel lasts; at the next one that is free, if it is taken. */
async function startNear(port: number, options: Omit<SandboxServerOptions, 'port'>): Promise<SandboxServer> {
  try {
    return await startSandboxServer({ ...options, port: port === 0 ? 0 : port + 1 });
  } catch (error) {
    const { code } = Object((error as Error).cause) as NodeJS.ErrnoException;
    if (code !== 'EADDRINUSE' || port === 0) throw error;
    return startNear(port + 1, options);
  }
}

async function checkConfiguration(settings: Settings, io: Io): Promise<void> {
  const results = await checkShop(settings, io);
  const { print, paint } = createPrinter(io);
  const lines = results.map(
    ({ name, fault }) => `${name}: ${fault ? paint('red', fault) : paint('green', 'ok')}`,
  );
  print({ results }, ['The configuration is complete.', ...lines]);
  if (results.some(({ fault }) => fault !== undefined))
    throw new CliError('shop_refused', 'The shop does not take the requests of the checkout; see above.');
}
