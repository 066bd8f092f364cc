import type { Checkout } from '../../checkout.ts';
import type { Io } from '../terminal/io.ts';
import { createPrinter, type Printer, printable } from '../terminal/printer.ts';
import { loadCheckout } from './load-checkout.ts';
import { failIfLooksFailed } from './reconcile-report.ts';

type ModuleOptions = { module: string; export?: string; once?: boolean; every: number; json?: boolean };

/** What the command needs of a checkout, whichever copy of the package has made it. */
type Reconcilable = Pick<Checkout, 'reconcile' | 'measure' | 'stop'>;

/**
 * Runs the rounds of the checkout that a module exports, until nothing is due (`once`) or the signal aborts; then stops it,
 * and lets its handlers end.
 *
 * @throws {CliError} where there is no such checkout; with `once` also where looks have failed
 * @throws with `once`, what keeps a round from running, such as a store that is away
 */
export async function reconcileModule(options: ModuleOptions, io: Io): Promise<void> {
  const checkout = await loadCheckout<Reconcilable>(options, ['reconcile', 'measure', 'stop']);
  const printer = createPrinter(io, options.json);
  let stopped: Promise<void> | undefined;
  const stop = (): Promise<void> => {
    stopped ??= checkout.stop();
    return stopped;
  };
  // At once, and not when the round is over: it may wait for handlers for long.
  io.signal.addEventListener('abort', stop, { once: true });
  try {
    if (options.once) await runOnce(checkout, io, printer);
    else await runForever(checkout, options, io, printer);
  } finally {
    await stop();
  }
}

async function runOnce(checkout: Reconcilable, io: Io, printer: Printer): Promise<void> {
  const done = { due: 0, failed: 0 };
  for (let hasMore = true; hasMore; ) {
    io.signal.throwIfAborted();
    const counts = await checkout.reconcile();
    done.due += counts.due;
    done.failed += counts.failed;
    hasMore = counts.hasMore;
  }
  io.signal.throwIfAborted();
  await printRound(checkout, done, io, printer);
  failIfLooksFailed(done);
}

async function runForever(
  checkout: Reconcilable,
  { every }: ModuleOptions,
  io: Io,
  printer: Printer,
): Promise<void> {
  printer.note(`Reconciling every ${every} seconds. Ctrl-C ends it.`);
  while (!io.signal.aborted) {
    const hasMore = await runRound(checkout, io, printer);
    // Ctrl-C ends the wait, and with it the command.
    if (!hasMore) await io.wait(every * 1000, io.signal).catch(() => {});
  }
}

/** A store that is away for a moment must not end what may have nobody who starts it again. */
async function runRound(checkout: Reconcilable, io: Io, printer: Printer): Promise<boolean> {
  try {
    const counts = await checkout.reconcile();
    if (counts.due > 0) await printRound(checkout, counts, io, printer);
    return counts.hasMore;
  } catch (error) {
    const cause = printable(error instanceof Error ? error.message : String(error));
    if (!io.signal.aborted) printer.note(`The round has failed, and the next will be tried: ${cause}`);
    return false;
  }
}

async function printRound(
  checkout: Reconcilable,
  { due, failed }: { due: number; failed: number },
  io: Io,
  { print, paint }: Printer,
): Promise<void> {
  const { checkLagMs, deadLetters } = (await checkout.measure()).gauges;
  const at = new Date(io.now()).toISOString();
  const problems = [
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(deadLetters ? [`${deadLetters} set aside: see transfer-checkout dead-letters`] : []),
  ];
  print({ at, due, failed, setAside: deadLetters, lagMs: checkLagMs }, [
    [
      at.slice(11, 19),
      `${due} due`,
      ...problems.map((text) => paint('red', text)),
      ...(checkLagMs === null ? [] : [`${Math.ceil(checkLagMs / 1000)} s behind`]),
    ].join('  '),
  ]);
}
