import { respond } from '../../core/http.ts';
import type { Route } from '../../core/routes.ts';
import { readStatus } from '../telemetry/status.ts';
import { requireOperatorKey } from './access/authorization.ts';
import type { RouteParts } from './parts.ts';

/** A route for schedulers and operators, who need the operator key. */
const withKey = (parts: RouteParts, method: Route['method'], read: () => Promise<object>): Route => ({
  method,
  isForPages: false,
  async respond(request) {
    await requireOperatorKey(parts, request);
    return respond(200, await read());
  },
});

/** Creates the routes that are not for pages. */
export const createOperatorRoutes = (parts: RouteParts): Record<string, Route> => ({
  /**
   * `POST …/reconcile`: 200 with `ReconcileCounts`, after one run of the reconciler and of the handlers that are due. Call it
   * every few seconds or minutes, and again at once while `hasMore`.
   */
  reconcile: withKey(parts, 'POST', () => parts.background.runRound()),
  /** `GET …/status`: 200 with `CheckoutStatus`. */
  status: withKey(parts, 'GET', () => readStatus(parts)),
  /** `GET …/health`: 200 while the process responds. A store that is down is not a reason to restart it. */
  health: { method: 'GET', isForPages: false, respond: async () => respond(200, { status: 'up' }) },
  /** `GET …/ready`: 200 if the instance accepts requests, otherwise 503, with a `ReadinessReport`. */
  ready: {
    method: 'GET',
    isForPages: false,
    async respond() {
      const report = await parts.readiness();
      return respond(report.status === 'ready' ? 200 : 503, report);
    },
  },
});
