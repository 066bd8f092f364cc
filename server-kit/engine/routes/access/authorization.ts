import { CheckoutError } from '../../../../src/contract/index.ts';
import type { PlainRequest } from '../../../core/http.ts';
import { bearerToken } from '../../../core/routes.ts';
import { equalInConstantTime } from '../../../core/secrets.ts';
import type { RequestLimits } from './request-limits.ts';

/**
 * Requires the operatorKey, compared in constant time. A wrong key counts as a failure of its client.
 *
 * @throws {CheckoutError} `not_found` if no key is configured, `session_unauthorized` for a wrong one, `rate_limited` after
 *   many
 */
export async function requireOperatorKey(
  { operatorKey, limits }: { operatorKey: string | undefined; limits: RequestLimits },
  request: PlainRequest,
): Promise<void> {
  if (operatorKey === undefined) {
    throw new CheckoutError('not_found', 'There is nothing here; createCheckout has no operatorKey.');
  }
  if (await equalInConstantTime(bearerToken(request), operatorKey)) return;
  limits.take('reads', limits.clientOf(request));
  throw new CheckoutError('session_unauthorized', 'Send the operatorKey as Authorization: Bearer.');
}
