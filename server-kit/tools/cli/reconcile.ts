import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Command, Option } from 'commander';
import * as v from 'valibot';
import type { Checkout } from '../../engine/create-checkout.ts';
import { whenAborted } from '../../engine/wait.ts';
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
      new Option('--export <name>', "the export's name (default: checkout, or else default)").conflicts(
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
type Counts = v.InferOutput<typeof Counts>;
type Round = () => Promise<Counts>;

async function reconcile({ module, url, keyEnv, ...options }: ReconcileOptions, io: Io): Promise<void> {
  const printer = createPrinter(io, options.json);
  if (url !== undefined) {
    // A round waits for verifications and handlers.
    const route = { method: 'POST', url: `${url}/reconcile`, keyEnv, timeoutSeconds: 120 } as const;
    return runUntilDone(() => callCheckout(route, Counts, io), io, printer);
  }
  if (module === undefined)
    throw new CliError('usage', 'Pass --module, which exports your checkout, or its address as --url.');
  const checkout = await loadCheckout(module, options.export);
  let stopped: Promise<void> | undefined;
  // Stops at once, because the round can wait for handlers for a long time.
  whenAborted(io.signal, () => {
    stopped = checkout.stop();
  });
  try {
    if (options.once) await runUntilDone(checkout.reconcile, io, printer);
    else await runForever(checkout.reconcile, options.every, io, printer);
  } finally {
    await (stopped ?? checkout.stop());
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
    // An unreachable store must not end a process that nobody restarts.
    const counts = await round().catch((error: unknown) => {
      const cause = printable(messageOf(error));
      if (!io.signal.aborted) printer.note(`The round failed; the next one runs as planned: ${cause}`);
    });
    if (counts && counts.due > 0) printRound(counts, io, printer);
    // Ctrl-C ends the wait, and with it the command.
    if (!counts?.hasMore) await io.wait(every * 1000, io.signal).catch(() => {});
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

function printRound({ due, failed }: Omit<Counts, 'hasMore'>, { now }: Io, { print, paint }: Printer): void {
  const at = new Date(now()).toISOString();
  const problems = failed > 0 ? [paint('red', `${failed} failed`)] : [];
  print({ at, due, failed }, [[at.slice(11, 19), `${due} due`, ...problems].join('  ')]);
}

/** The members of a checkout that the command uses. Another copy of the package may have created it. */
const Reconcilable = v.looseObject({ reconcile: v.function(), stop: v.function() });
type Reconcilable = Pick<Checkout, 'reconcile' | 'stop'>;

async function loadCheckout(file: string, name: string | undefined): Promise<Reconcilable> {
  const { href } = pathToFileURL(resolve(file));
  const exported = await import(/* @vite-ignore */ href).catch((cause: unknown) => {
    throw new CliError('module_failed', `${file} cannot be loaded: ${messageOf(cause)}`, { cause });
  });
  const value: unknown = await (name === undefined
    ? (exported.checkout ?? exported.default)
    : exported[name]);
  if (v.is(Reconcilable, value)) return value as Reconcilable;
  const found = Object.keys(exported).join(', ') || 'nothing';
  const message = `${file} exports no checkout as "${name ?? 'checkout'}"; export what createCheckout returns, or name it with --export. It exports ${found}.`;
  throw new CliError('not_a_checkout', message);
}
