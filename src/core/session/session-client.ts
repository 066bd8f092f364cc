import { CheckoutLink, PaymentView, routes, Session } from '../../contract/index.ts';
import {
  type CheckoutResponse,
  createSendRequest,
  invalidResponse,
  parseBody,
  type ServerOptions,
} from './send-request.ts';
import { type EarlyRequest, postJson } from './session-request.ts';

export type CreateOptions = {
  /** JSON for the merchant's `createPayment`. */
  readonly body: string;
  readonly signal: AbortSignal;
  /** The same request, if it was sent early. */
  readonly early?: EarlyRequest | undefined;
};

export type RetrieveOptions = {
  /** The ETag of the known view. */
  readonly etag: string | undefined;
  /** How long the server may hold the response; 0 for an immediate response. */
  readonly waitSeconds: number;
  readonly signal: AbortSignal;
};

/** The requests to the checkout server. Each throws a `CheckoutError`. */
export type SessionClient = {
  /** Gets or creates the session of an order. */
  readonly create: (options: CreateOptions) => Promise<CheckoutResponse<Session>>;
  /** Retrieves the view of a payment; the value is undefined when it has not changed. */
  readonly retrieve: (
    session: Pick<Session, 'reference' | 'clientSecret'>,
    options: RetrieveOptions,
  ) => Promise<CheckoutResponse<PaymentView | undefined>>;
  /** Creates a payment page of the service. */
  readonly createLink: (options: CreateOptions) => Promise<CheckoutResponse<CheckoutLink>>;
};

/** Creates the client of the checkout server. */
export function createSessionClient(server: ServerOptions): SessionClient {
  const send = createSendRequest(server);
  return {
    create: (options) =>
      send(routes.sessions, { ...postJson, ...options }, (response) => parseBody(Session, response)),
    createLink: (options) =>
      send(routes.links, { ...postJson, ...options }, (response) => parseBody(CheckoutLink, response)),
    retrieve({ reference, clientSecret }, { etag, waitSeconds, signal }) {
      const headers = {
        authorization: `Bearer ${clientSecret}`,
        ...(etag && { 'if-none-match': etag }),
        ...(waitSeconds && { prefer: `wait=${waitSeconds}` }),
      };
      return send(routes.session(reference), { headers, waitSeconds, signal }, async (response) => {
        if (response.status === 304) return undefined;
        const view = await parseBody(PaymentView, response);
        if (view.reference !== reference) throw invalidResponse('is about another payment');
        return view;
      });
    },
  };
}
