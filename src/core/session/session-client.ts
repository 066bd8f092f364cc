import {
  contractHeaders,
  type PaymentPreference,
  PaymentView,
  routes,
  Session,
  type StoredPayment,
} from '../../contract/index.ts';
import type { RetrieveOptions } from '../connection/check-payment.ts';
import { type CheckoutResponse, parseBody, readHeaders } from '../connection/read-response.ts';
import type { EarlyRequest } from '../connection/request-init.ts';
import { createSendRequest, invalidResponse, type ServerOptions } from '../connection/send-request.ts';
import { sessionHeaders } from './session-request.ts';

export type CreateOptions = {
  /** JSON for the merchant's `getOrder`. */
  readonly body: string;
  readonly signal: AbortSignal;
  /** The payments that this browser has stored, the last used first. */
  readonly stored: readonly StoredPayment[];
  /** Left out: any payment of the order. */
  readonly preference?: PaymentPreference | undefined;
  /** The same request, if it was sent early. */
  readonly early?: EarlyRequest | undefined;
};

/** The requests to the checkout server. Each throws a `CheckoutError`. */
export type SessionClient = {
  /** Gets the session of a stored payment of the order, or gets or creates the order's own. */
  readonly create: (options: CreateOptions) => Promise<CheckoutResponse<Session>>;
  /** Retrieves the view of a payment; the value is undefined when it has not changed. */
  readonly retrieve: (
    session: Pick<Session, 'reference' | 'clientSecret'>,
    options: RetrieveOptions,
  ) => Promise<CheckoutResponse<PaymentView | undefined>>;
};

export function createSessionClient(server: ServerOptions): SessionClient {
  const send = createSendRequest(server);
  return {
    async create({ stored, preference, ...options }) {
      const headers = sessionHeaders(stored, preference);
      const response = await send(routes.sessions, { method: 'POST', ...options, headers });
      return { value: parseBody(Session, response), ...readHeaders(response) };
    },
    async retrieve({ reference, clientSecret }, { etag, waitSeconds, signal }) {
      const headers = {
        [contractHeaders.secret]: clientSecret,
        ...(etag && { 'if-none-match': etag }),
        ...(waitSeconds && { prefer: `wait=${waitSeconds}` }),
      };
      const response = await send(routes.session(reference), { headers, waitSeconds, signal });
      const value = response.response.status === 304 ? undefined : parseBody(PaymentView, response);
      if (value && value.reference !== reference) throw invalidResponse('is about another payment');
      return { value, ...readHeaders(response) };
    },
  };
}
