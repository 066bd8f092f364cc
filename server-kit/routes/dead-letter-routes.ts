import * as v from 'valibot';
import { CheckoutError } from '../../src/contract/index.ts';
import type { Wait } from '../async/wait.ts';
import type { PlainRequest, PlainResponse } from '../http/plain-http.ts';
import { retryDeadLetters, toDeadLetter } from '../outbox/dead-letters.ts';
import type { OutboxRunner } from '../outbox/runner.ts';
import type { Store } from '../stores/store.ts';
import { requireReconcileKey } from './access/reconcile-key.ts';
import type { RequestLimits } from './access/request-limits.ts';
import { readBody } from './body.ts';
import { jsonResponse } from './responses.ts';

export type DeadLetterRoutesOptions = {
  store: Store;
  runner: OutboxRunner;
  reconcileKey: string | undefined;
  limits: RequestLimits;
  wait: Wait;
};

/** Each may have 2,000 characters of failure. The others are listed when these have been retried. */
const maxListed = 100;

/**
 * `GET …/dead-letters`: 200 with `{ total, deadLetters }`, the oldest hundred.
 *
 * @throws {CheckoutError} `not_found` if no key is configured, `session_unauthorized` for a wrong one
 */
export async function getDeadLetters(
  options: DeadLetterRoutesOptions,
  request: PlainRequest,
): Promise<PlainResponse> {
  await requireReconcileKey(options, request);
  const all = await options.store.listDeadLetters();
  return jsonResponse(200, {
    total: all.length,
    deadLetters: all.slice(0, maxListed).map(toDeadLetter),
  });
}

const Retry = v.pipe(
  v.string(),
  v.parseJson(),
  v.union([v.strictObject({ key: v.string() }), v.strictObject({ all: v.literal(true) })]),
);

/**
 * `POST …/dead-letters/retry` with `{ "key": … }` or `{ "all": true }`: 200 with `{ retried }`, the number of events that are
 * due again. Their handlers are called after the response.
 *
 * @throws {CheckoutError} `not_found` if no key is configured, `session_unauthorized` for a wrong one, `invalid_request` for
 *   any other body
 */
export async function postDeadLetterRetry(
  options: DeadLetterRoutesOptions,
  request: PlainRequest,
): Promise<PlainResponse> {
  await requireReconcileKey(options, request);
  const body = v.safeParse(Retry, await readBody(request, options.wait));
  if (!body.success) {
    throw new CheckoutError('invalid_request', 'Send { "key": "<key>" } or { "all": true } as JSON.');
  }
  const { listDeadLetters: list, retryDeadLetter: retry } = options.store;
  const retried = await retryDeadLetters({ list, retry }, 'key' in body.output ? body.output.key : null);
  if (retried > 0) options.runner.runSoon();
  return jsonResponse(200, { retried });
}
