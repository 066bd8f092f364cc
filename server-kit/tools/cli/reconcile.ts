import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Command, Option } from 'commander';
import * as v from 'valibot';
import type { Checkout } from '../../engine/create-checkout.ts';
import { callCheckout, keyOption, urlOption } from './requests.ts';
import {
  addJsonOption,
  CliError,
  createPrinter,
  type Io,
  type Printer,
  printable,
  readWholeNumber,
} from './terminal.ts';

type ReconcileOptions = {
  module?: string;
  export?: string;
  url?: string;
  keyEnv: string;
  once?: boolean;
  every: number;
  json?: boolean;
};

export function addReconcileCommand(program: Command, io: Io): void {
  const command = program
    .command('reconcile')
    .summary('verify due payments and call your handlers')
    .description(
      'Verifies payments that no shopper waits for, and calls your handlers. With --module it runs the rounds of start() in ' +
        'its own process; with --url it calls POST {base}/reconcile until nothing is due, for cron.',
    )
    .addOption(new Option('--once', 'stop when nothing is due instead of at Ctrl-C').conflicts('url'))
    .option('--every <seconds>', 'the pause between two rounds', readWholeNumber(1, 3600), 10)
    .addOption(new Option('--module <file>', 'an ES module that exports your checkout').conflicts('url'))
    .addOption(
      new Option('--export <name>', 'the name of the export (default: checkout, or else default)').conflicts(
        'url',
      ),
    )
    .option(...urlOption)
    .option(...keyOption)
    .action((options: ReconcileOptions) => reconcile(options, io));
  addJsonOption(
    command,
    'reconcile --module ./checkout.js',
    'reconcile --module ./checkout.js --export shopCheckout --once',
    'reconcile --url https://shop.example/checkout',
  );
}

const Counts = v.object({ due: v.number(), failed: v.number(), hasMore: v.boolean() });
type Round = () => Promise<v.InferOutput<typeof Counts>>;
type Done = Omit<v.InferOutput<typeof Counts>, 'hasMore'>;

async function reconcile({ module, url, keyEnv, ...options }: ReconcileOptions, io: Io): Promise<void> {
  const printer = createPrinter(io, options.json);
  if (url !== undefined) {
    // A round waits for verifications and handlers.
    const route = { method: 'POST', url: `${url}/reconcile`, keyEnv, timeoutSeconds: 120 } as const;
    return runUntilDone(() => callCheckout(route, Counts, io), io, printer);
  }
  if (module === undefined) {
    const message = 'Pass --module with a module that exports your checkout, or --url with its address.';
    throw new CliError('usage', message);
  }
  const checkout = await loadCheckout(module, options.export);
  let stopped: Promise<void> | undefined;
  const stop = (): Promise<void> => {
    stopped ??= checkout.stop();
    return stopped;
  };
  // Stops at once, because the round can wait for handlers for a long time.
  io.signal.addEventListener('abort', stop, { once: true });
  try {
    if (options.once) await runUntilDone(checkout.reconcile, io, printer);
    else await runForever(checkout.reconcile, options.every, io, printer);
  } finally {
    await stop();
  }
}

/** @throws {CliError} `verifications_failed`, so that a scheduled run reports the failure */
async function runUntilDone(round: Round, io: Io, printer: Printer): Promise<void> {
  const done = { due: 0, failed: 0 };
  for (let hasMore = true; hasMore; ) {
    io.signal.throwIfAborted();
    const counts = await round();
    done.due += counts.due;
    done.failed += counts.failed;
    hasMore = counts.hasMore;
  }
  io.signal.throwIfAborted();
  printRound(done, io, printer);
  if (done.failed === 0) return;
  const message = `${done.failed} of ${done.due} verifications failed; they are retried later. See the log of your checkout.`;
  throw new CliError('verifications_failed', message);
}

async function runForever(round: Round, every: number, io: Io, printer: Printer): Promise<void> {
  printer.note(`Reconciling every ${every} seconds. Press Ctrl-C to stop.`);
  while (!io.signal.aborted) {
    const hasMore = await runRound(round, io, printer);
    // Ctrl-C ends the wait, and with it the command.
    if (!hasMore) await io.wait(every * 1000, io.signal).catch(() => {});
  }
}

/** Reports a failed round and continues, because an unreachable store must not end a process that nobody restarts. */
async function runRound(round: Round, io: Io, printer: Printer): Promise<boolean> {
  try {
    const counts = await round();
    if (counts.due > 0) printRound(counts, io, printer);
    return counts.hasMore;
  } catch (error) {
    const cause = printable(error instanceof Error ? error.message : String(error));
    if (!io.signal.aborted) printer.note(`The round failed; the next one runs as planned: ${cause}`);
    return false;
  }
}

function printRound({ due, failed }: Done, { now }: Io, { print, paint }: Printer): void {
  const at = new Date(now()).toISOString();
  const problems = failed > 0 ? [paint('red', `${failed} failed`)] : [];
  print({ at, due, failed }, [[at.slice(11, 19), `${due} due`, ...problems].join('  ')]);
}

/** The members of a checkout that the command uses. Another copy of the package may have created it. */
type Reconcilable = Pick<Checkout, 'reconcile' | 'stop'>;

async function loadCheckout(file: string, name: string | undefined): Promise<Reconcilable> {
  const { href } = pathToFileURL(resolve(file));
  const exported = await import(/* @vite-ignore */ href).catch((cause: unknown) => {
    const message = `${file} cannot be loaded: ${cause instanceof Error ? cause.message : String(cause)}`;
    throw new CliError('module_failed', message, { cause });
  });
  const value: unknown = await (name === undefined
    ? (exported.checkout ?? exported.default)
    : exported[name]);
  if (isReconcilable(value)) return value;
  const found = Object.keys(exported).join(', ') || 'nothing';
  const message = `${file} exports no checkout as "${name ?? 'checkout'}"; export what createCheckout returns, or name it with --export. It exports ${found}.`;
  throw new CliError('not_a_checkout', message);
}

const isReconcilable = (value: unknown): value is Reconcilable =>
  v.is(v.looseObject({ reconcile: v.function(), stop: v.function() }), value);
