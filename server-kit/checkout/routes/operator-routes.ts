import type { PlainRequest, PlainResponse } from '../../client/http/plain-http.ts';
import { jsonResponse } from '../../client/http/responses.ts';
import { readStatus } from '../telemetry/status.ts';
import { requireOperatorKey } from './access/authorization.ts';
import type { RouteParts } from './parts.ts';

/** `GET …/health`: 200 while the process responds. A store that is down is not a reason to restart it. */
export const getHealth = async (): Promise<PlainResponse> => jsonResponse(200, { status: 'up' });

/** `GET …/ready`: 200 if the instance accepts requests, otherwise 503, with a `ReadinessReport`. */
export async function getReady({ readiness }: RouteParts): Promise<PlainResponse> {
  const report = await readiness();
  return jsonResponse(report.status === 'ready' ? 200 : 503, report);
}

/** A route for schedulers and operators, who need the operator key. */
const withKey =
  (respond: (parts: RouteParts) => Promise<object>) =>
  async (parts: RouteParts, request: PlainRequest): Promise<PlainResponse> => {
    await requireOperatorKey(parts, request);
    return jsonResponse(200, await respond(parts));
  };

/**
 * `POST …/reconcile`: 200 with `ReconcileCounts`, after one run of the reconciler and of the handlers that are due. Call it
 * every few seconds or minutes, and again at once while `hasMore`.
 */
export const postReconcile = withKey(({ background }) => background.runRound());

/** `GET …/status`: 200 with `CheckoutStatus`. */
export const getStatus = withKey(readStatus);
