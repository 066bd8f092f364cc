import * as v from 'valibot';
import { CheckoutError } from '../../../src/contract/index.ts';
import type { Wait } from '../../client/async/wait.ts';
import type { PlainRequest, PlainResponse } from '../../http/plain-http.ts';
import { type DeadLetters, retryDeadLetters, toDeadLetter } from '../outbox/dead-letters.ts';
import type { ReconcileCounts } from '../shell/reconciler.ts';
import type { ReadinessReport } from '../telemetry/readiness.ts';
import type { CheckoutStatus } from '../telemetry/status.ts';
import { requireReconcileKey } from './access/authorization.ts';
import type { RequestLimits } from './access/request-limits.ts';
import { readBody } from './body.ts';
import { jsonResponse } from './responses.ts';

export type OperatorRoutesOptions = {
  reconcileKey: string | undefined;
  limits: RequestLimits;
  wait: Wait;
  readiness: () => Promise<ReadinessReport>;
  reconcile: () => Promise<ReconcileCounts>;
  readStatus: () => Promise<CheckoutStatus>;
  deadLetters: DeadLetters;
};

/** Each may have 2,000 characters of failure. The others are listed when these have been retried. */
const maxListed = 100;

const Retry = v.pipe(
  v.string(),
  v.parseJson(),
  v.union([v.strictObject({ key: v.string() }), v.strictObject({ all: v.literal(true) })]),
);

/** Creates the routes of monitors, schedulers and operators. All but `health` and `ready` need the reconcile key. */
export function createOperatorRoutes(options: OperatorRoutesOptions) {
  const { reconcileKey, limits, readiness, deadLetters } = options;
  const withKey =
    (respond: (request: PlainRequest) => Promise<object>) =>
    async (request: PlainRequest): Promise<PlainResponse> => {
      await requireReconcileKey(reconcileKey, limits, request);
      return jsonResponse(200, await respond(request));
    };
  return {
    /** `GET …/health`: 200 while the process responds at all. A store that is down is no reason to restart the process. */
    health: async () => jsonResponse(200, { status: 'up' }),
    /** `GET …/ready`: 200 if the instance accepts requests, otherwise 503, with a `ReadinessReport`. */
    async ready() {
      const report = await readiness();
      return jsonResponse(report.status === 'ready' ? 200 : 503, report);
    },
    /**
     * `POST …/reconcile`: 200 with `ReconcileCounts`, after one run of the reconciler and of the handlers that are due. Call it
     * every few seconds or minutes, and again at once while `hasMore`.
     */
    reconcile: withKey(options.reconcile),
    /** `GET …/status`: 200 with `CheckoutStatus`. */
    status: withKey(options.readStatus),
    /** `GET …/dead-letters`: 200 with `{ total, deadLetters }`, the oldest hundred. */
    deadLetters: withKey(async () => {
      const all = await deadLetters.list();
      return { total: all.length, deadLetters: all.slice(0, maxListed).map(toDeadLetter) };
    }),
    /**
     * `POST …/dead-letters/retry` with `{ "key": … }` or `{ "all": true }`: 200 with `{ retried }`, the number of events that are
     * due again. Their handlers are called after the response.
     */
    retryDeadLetters: withKey(async (request) => {
      const body = v.safeParse(Retry, await readBody(request, options.wait));
      if (!body.success) {
        throw new CheckoutError('invalid_request', 'Send { "key": "<key>" } or { "all": true } as JSON.');
      }
      return { retried: await retryDeadLetters(deadLetters, 'key' in body.output ? body.output.key : null) };
    }),
  };
}
