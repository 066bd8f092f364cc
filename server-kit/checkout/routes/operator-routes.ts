import * as v from 'valibot';
import { CheckoutError } from '../../../src/contract/index.ts';
import type { Wait } from '../../client/async/wait.ts';
import { readBody } from '../../client/http/body.ts';
import type { PlainRequest, PlainResponse } from '../../client/http/plain-http.ts';
import { jsonResponse } from '../../client/http/responses.ts';
import { type DeadLetters, retryDeadLetters, toDeadLetter } from '../outbox/dead-letters.ts';
import type { Store } from '../ports/store.ts';
import type { Background } from '../shell/background.ts';
import type { ReadinessReport } from '../telemetry/status.ts';
import { readStatus } from '../telemetry/status.ts';
import { requireReconcileKey } from './access/authorization.ts';
import type { RequestLimits } from './access/request-limits.ts';

export type OperatorParts = {
  reconcileKey: string | undefined;
  limits: RequestLimits;
  wait: Wait;
  store: Store;
  readiness: () => Promise<ReadinessReport>;
  background: Pick<Background, 'runRound' | 'noteRequest'>;
  deadLetters: DeadLetters;
};

/** Each may have 2,000 characters of failure. The others are listed when these have been retried. */
const maxListed = 100;

const Retry = v.pipe(
  v.string(),
  v.parseJson(),
  v.union([v.strictObject({ key: v.string() }), v.strictObject({ all: v.literal(true) })]),
);

/** `GET …/health`: 200 while the process responds. A store that is down is not a reason to restart it. */
export const getHealth = async (): Promise<PlainResponse> => jsonResponse(200, { status: 'up' });

/** `GET …/ready`: 200 if the instance accepts requests, otherwise 503, with a `ReadinessReport`. */
export async function getReady({ readiness }: OperatorParts): Promise<PlainResponse> {
  const report = await readiness();
  return jsonResponse(report.status === 'ready' ? 200 : 503, report);
}

/** A route for schedulers and operators, who need the reconcile key. */
const withKey =
  (respond: (parts: OperatorParts, request: PlainRequest) => Promise<object>) =>
  async (parts: OperatorParts, request: PlainRequest): Promise<PlainResponse> => {
    await requireReconcileKey(parts, request);
    return jsonResponse(200, await respond(parts, request));
  };

/**
 * `POST …/reconcile`: 200 with `ReconcileCounts`, after one run of the reconciler and of the handlers that are due. Call it
 * every few seconds or minutes, and again at once while `hasMore`.
 */
export const postReconcile = withKey(({ background }) => background.runRound());

/** `GET …/status`: 200 with `CheckoutStatus`. */
export const getStatus = withKey(({ store }) => readStatus(store));

/** `GET …/dead-letters`: 200 with `{ total, deadLetters }`, the oldest hundred. */
export const getDeadLetters = withKey(async ({ deadLetters }) => {
  const all = await deadLetters.list();
  return { total: all.length, deadLetters: all.slice(0, maxListed).map(toDeadLetter) };
});

/**
 * `POST …/dead-letters/retry` with `{ "key": … }` or `{ "all": true }`: 200 with `{ retried }`, the number of events that are
 * due again. Their handlers are called after the response.
 */
export const postRetry = withKey(async ({ deadLetters, wait }, request) => {
  const body = v.safeParse(Retry, await readBody(request, wait));
  if (!body.success) {
    throw new CheckoutError('invalid_request', 'Send { "key": "<key>" } or { "all": true } as JSON.');
  }
  return { retried: await retryDeadLetters(deadLetters, 'key' in body.output ? body.output.key : null) };
});
