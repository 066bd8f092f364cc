import {
  CheckoutError,
  contractHeaders,
  type PaymentPreference,
  PaymentView,
  routes,
  Session,
  type StoredPayment,
} from '../contract/index.ts';
import { canRetry } from './back-off.ts';
import {
  type CheckoutResponse,
  type EarlyRequest,
  invalidResponse,
  parseBody,
  readHeaders,
  type ServerOptions,
  send,
  sessionHeaders,
} from './http.ts';
import type { RetrieveOptions } from './poll.ts';
import type { OrderStorage, StoredEntry } from './storage.ts';

export type CreateOptions = {
  readonly body: string;
  readonly signal: AbortSignal;
  readonly stored: readonly StoredPayment[];
  /** Left out: any payment of the order. */
  readonly preference?: PaymentPreference | undefined;
  readonly early?: EarlyRequest | undefined;
};

export type SessionClient = ReturnType<typeof createSessionClient>;

export const createSessionClient = (server: ServerOptions) => ({
  async create({ stored, preference, ...options }: CreateOptions): Promise<CheckoutResponse<Session>> {
    const headers = sessionHeaders(stored, preference);
    const response = await send(server, routes.sessions, { method: 'POST', ...options, headers });
    return { value: parseBody(Session, response), ...readHeaders(response) };
  },
  async retrieve(
    { reference, clientSecret }: StoredPayment,
    { etag, waitSeconds, signal }: RetrieveOptions,
  ): Promise<CheckoutResponse<PaymentView | undefined>> {
    const headers = {
      [contractHeaders.secret]: clientSecret,
      ...(etag && { 'if-none-match': etag }),
      ...(waitSeconds && { prefer: `wait=${waitSeconds}` }),
    };
    const response = await send(server, routes.session(reference), { headers, waitSeconds, signal });
    const value = response.response.status === 304 ? undefined : parseBody(PaymentView, response);
    if (value && value.reference !== reference) throw invalidResponse('is about another payment');
    return { value, ...readHeaders(response) };
  },
});

export const findReturned = (
  { find, findOrder }: OrderStorage,
  reference: string | undefined,
): StoredEntry | undefined => (reference === undefined ? undefined : find(reference)) ?? findOrder();

/** Retrieves the stored payment from which a shopper returns; never creates one. @throws {CheckoutError} `session_unknown` */
export async function retrieveReturned(
  client: SessionClient,
  stored: StoredEntry | undefined,
  request: Pick<CreateOptions, 'body' | 'signal'>,
): Promise<CheckoutResponse<Session>> {
  const current = stored && (await retrieveStored(client, stored, request));
  if (current) return current;
  throw new CheckoutError(
    'session_unknown',
    'This browser does not know the payment; confirm it to the shopper from your server.',
  );
}

async function retrieveStored(
  client: SessionClient,
  stored: StoredEntry,
  { body, signal }: Pick<CreateOptions, 'body' | 'signal'>,
): Promise<CheckoutResponse<Session> | undefined> {
  const { reference, clientSecret } = stored;
  try {
    const response = await client.retrieve(stored, { etag: undefined, waitSeconds: 0, signal });
    // Without an ETag every response contains a view.
    return { ...response, value: { ...(response.value as PaymentView), clientSecret } };
  } catch (error) {
    if (canRetry(error as CheckoutError)) throw error;
    if ((error as CheckoutError).code !== 'session_unauthorized') return undefined;
  }
  try {
    // The server may accept the shopper where it refuses an old secret.
    const renewed = await client.create({ body, stored: [stored], preference: 'existing', signal });
    return renewed.value.reference === reference ? renewed : undefined;
  } catch (error) {
    if (canRetry(error as CheckoutError)) throw error;
    return undefined;
  }
}
