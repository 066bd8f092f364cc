import type { SessionRequest } from '../../core/session/session-request.ts';
import type { ValidOrder } from '../../options/order-options.ts';

/** Returns the request for a session that a checkout with these options sends. */
export const sessionRequestOf = ({
  baseUrl = '/checkout',
  body = {},
  credentials,
}: ValidOrder): SessionRequest => ({
  baseUrl: baseUrl.replace(/\/$/, ''),
  body: JSON.stringify(body),
  credentials,
});
