import * as v from 'valibot';
import type { ReconcileCounts } from '../reconciler.ts';
import { CliError, UsageError } from './cli-error.ts';
import { fetchText } from './fetch-text.ts';
import type { Io } from './io.ts';
import { createPrinter } from './printer.ts';
import { failIfLooksFailed } from './reconcile-report.ts';

export const keyVariable = 'RECONCILE_KEY';

/** A round waits for looks and handlers. */
const timeoutSeconds = 120;
const maxAnswerBytes = 100_000;

const Counts = v.object({ due: v.number(), failed: v.number(), hasMore: v.boolean() });

/**
 * Calls `POST {url}/reconcile` until nothing is due any more.
 *
 * @throws {UsageError} where the key is missing
 * @throws {CliError} where the shop cannot be reached or refuses, and where looks have failed
 */
export async function reconcileByUrl(
  { url, keyEnv, json }: { url: string; keyEnv: string; json?: boolean },
  io: Io,
): Promise<void> {
  const key = readKey(keyEnv, io.env);
  const done = { rounds: 0, due: 0, failed: 0 };
  for (let hasMore = true; hasMore; ) {
    const counts = await postReconcile(`${url}/reconcile`, { key, keyEnv }, io);
    done.rounds++;
    done.due += counts.due;
    done.failed += counts.failed;
    hasMore = counts.hasMore;
  }
  const rounds = done.rounds === 1 ? 'one round' : `${done.rounds} rounds`;
  createPrinter(io, json).print({ url, ...done }, [`${done.due} due in ${rounds}, ${done.failed} failed.`]);
  failIfLooksFailed(done);
}

/** What it is not told of is neither in messages nor in their causes. */
function readKey(keyEnv: string, env: Io['env']): string {
  const key = env[keyEnv];
  if (!key)
    throw new UsageError(`There is no key in ${keyEnv}; set it to the reconcileKey of your checkout.`);
  if (/^[\x21-\x7e]+$/.test(key)) return key;
  throw new UsageError(`The key in ${keyEnv} has a space or a line end in it; set it without.`);
}

async function postReconcile(
  url: string,
  { key, keyEnv }: { key: string; keyEnv: string },
  io: Io,
): Promise<ReconcileCounts> {
  const headers = { authorization: `Bearer ${key}` };
  const { status, text } = await fetchText(io, url, maxAnswerBytes, {
    method: 'POST',
    headers,
    timeoutSeconds,
  });
  if (status === 401) {
    throw new CliError(
      'key_refused',
      `${url} refused the key; ${keyEnv} must be the reconcileKey of createCheckout.`,
    );
  }
  if (status === 404) {
    throw new CliError(
      'not_found',
      `There is nothing at ${url}; check the address, and set reconcileKey in createCheckout.`,
    );
  }
  if (status !== 200)
    throw new CliError('refused', `${url} answered with ${status}; see the log of your server.`);
  const counts = v.safeParse(v.pipe(v.string(), v.parseJson(), Counts), text);
  if (counts.success) return counts.output;
  throw new CliError('not_a_checkout', `${url} answered with something else than counts; check the address.`);
}
