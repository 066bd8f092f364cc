import type { PlainRequest, PlainResponse } from '../http/plain-http.ts';
import type { Store } from '../stores/store.ts';
import { readStatus } from '../telemetry/status.ts';
import { requireReconcileKey } from './access/reconcile-key.ts';
import type { RequestLimits } from './access/request-limits.ts';
import { jsonResponse } from './responses.ts';

export type StatusRouteOptions = {
  store: Store;
  reconcileKey: string | undefined;
  limits: RequestLimits;
};

/**
 * `GET …/status`: 200 with `CheckoutStatus`.
 *
 * @throws {CheckoutError} `not_found` if no key is configured, `session_unauthorized` for a wrong one
 */
export async function getStatus(options: StatusRouteOptions, request: PlainRequest): Promise<PlainResponse> {
  await requireReconcileKey(options, request);
  return jsonResponse(200, await readStatus(options.store));
}
