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
import { answerHeaders } from './response-headers.ts';

export type DeadLetterRoutesOptions = {
  store: Store;
  runner: OutboxRunner;
  reconcileKey: string | undefined;
  limits: RequestLimits;
  wait: Wait;
};

/** Each has up to 2,000 characters of failure. The others are listed when these are retried. */
const maxListed = 100;

const respond = (body: object): PlainResponse => ({
  status: 200,
  headers: { ...answerHeaders, 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

/**
 * `GET …/dead-letters`: 200 with `{ total, deadLetters }`, the oldest hundred of them.
 *
 * @throws {CheckoutError} `not_found` where there is no key, `session_unauthorized` for a wrong one
 */
export async function getDeadLetters(
  options: DeadLetterRoutesOptions,
  request: PlainRequest,
): Promise<PlainResponse> {
  await requireReconcileKey(options, request);
  const all = await options.store.listDeadLetters();
  return respond({ total: all.length, deadLetters: all.slice(0, maxListed).map(toDeadLetter) });
}

const Retry = v.pipe(
  v.string(),
  v.parseJson(),
  v.union([v.strictObject({ key: v.string() }), v.strictObject({ all: v.literal(true) })]),
);

/**
 * `POST …/dead-letters/retry` with `{ "key": … }` or `{ "all": true }`: 200 with `{ retried }`, how many are due again. Their
 * handlers are called afterwards.
 *
 * @throws {CheckoutError} `not_found` where there is no key, `session_unauthorized` for a wrong one, `invalid_request` for another
 *   body
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
  return respond({ retried });
}
