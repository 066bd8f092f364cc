import type { Checkout } from '../../../checkout/checkout.ts';
import type { Io } from '../terminal/io.ts';
import { createPrinter, type Printer, printable } from '../terminal/printer.ts';
import { loadCheckout } from './load-checkout.ts';
import { failIfVerificationsFailed } from './reconcile-report.ts';

type ModuleOptions = { module: string; export?: string; once?: boolean; every: number; json?: boolean };

/** The members of a checkout that the command uses. Another copy of the package may have created it. */
type Reconcilable = Pick<Checkout, 'reconcile' | 'measure' | 'stop'>;

/**
 * Runs rounds of a module's checkout until nothing is due (`once`) or the signal aborts. Then it stops the checkout, which
 * waits for its handlers.
 *
 * @throws {CliError} when the module exports no checkout; with `once` also when verifications have failed
 * @throws with `once`, the error that prevented a round, such as an unreachable store
 */
export async function reconcileModule(options: ModuleOptions, io: Io): Promise<void> {
  const checkout = await loadCheckout<Reconcilable>(options, ['reconcile', 'measure', 'stop']);
  const printer = createPrinter(io, options.json);
  let stopped: Promise<void> | undefined;
  const stop = (): Promise<void> => {
    stopped ??= checkout.stop();
    return stopped;
  };
  // Stops at once, because the round can wait for handlers for a long time.
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
  failIfVerificationsFailed(done);
}

async function runForever(
  checkout: Reconcilable,
  { every }: ModuleOptions,
  io: Io,
  printer: Printer,
): Promise<void> {
  printer.note(`Reconciling every ${every} seconds. Press Ctrl-C to stop.`);
  while (!io.signal.aborted) {
    const hasMore = await runRound(checkout, io, printer);
    // Ctrl-C ends the wait, and with it the command.
    if (!hasMore) await io.wait(every * 1000, io.signal).catch(() => {});
  }
}

/** Reports a failed round and continues, because an unreachable store must not end a process that nobody restarts. */
async function runRound(checkout: Reconcilable, io: Io, printer: Printer): Promise<boolean> {
  try {
    const counts = await checkout.reconcile();
    if (counts.due > 0) await printRound(checkout, counts, io, printer);
    return counts.hasMore;
  } catch (error) {
    const cause = printable(error instanceof Error ? error.message : String(error));
    if (!io.signal.aborted) printer.note(`The round failed; the next one runs as planned: ${cause}`);
    return false;
  }
}

async function printRound(
  checkout: Reconcilable,
  { due, failed }: { due: number; failed: number },
  io: Io,
  { print, paint }: Printer,
): Promise<void> {
  const { checkLagMs } = (await checkout.measure()).gauges;
  const at = new Date(io.now()).toISOString();
  const problems = [...(failed > 0 ? [`${failed} failed`] : [])];
  print({ at, due, failed, lagMs: checkLagMs }, [
    [
      at.slice(11, 19),
      `${due} due`,
      ...problems.map((text) => paint('red', text)),
      ...(checkLagMs === null ? [] : [`${Math.ceil(checkLagMs / 1000)} s behind`]),
    ].join('  '),
  ]);
}
