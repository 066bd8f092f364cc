import * as v from 'valibot';
import type { Io } from '../terminal/io.ts';
import { createPrinter } from '../terminal/printer.ts';
import { callCheckout, readReconcileKey } from './call-checkout.ts';
import { failIfVerificationsFailed } from './reconcile-report.ts';

/** A round waits for verifications and handlers. */
const timeoutSeconds = 120;
const maxResponseBytes = 100_000;

const Counts = v.object({ due: v.number(), failed: v.number(), hasMore: v.boolean() });

/**
 * Calls `POST {url}/reconcile` until no payment is due.
 *
 * @throws {UsageError} for a missing key
 * @throws {CliError} when the shop cannot be reached or refuses, and when verifications have failed
 */
export async function reconcileByUrl(
  { url, keyEnv, json }: { url: string; keyEnv: string; json?: boolean },
  io: Io,
): Promise<void> {
  const key = readReconcileKey(keyEnv, io.env);
  const route = {
    url: `${url}/reconcile`,
    method: 'POST',
    key,
    keyEnv,
    timeoutSeconds,
    maxBytes: maxResponseBytes,
  } as const;
  const done = { rounds: 0, due: 0, failed: 0 };
  for (let hasMore = true; hasMore; ) {
    const counts = await callCheckout(route, Counts, io);
    done.rounds++;
    done.due += counts.due;
    done.failed += counts.failed;
    hasMore = counts.hasMore;
  }
  const rounds = done.rounds === 1 ? 'one round' : `${done.rounds} rounds`;
  createPrinter(io, json).print({ url, ...done }, [`${done.due} due in ${rounds}, ${done.failed} failed.`]);
  failIfVerificationsFailed(done);
}
