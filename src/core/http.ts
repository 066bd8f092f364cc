import * as v from 'valibot';
import {
  CheckoutError,
  type CheckoutErrorCode,
  checkoutErrorStatus,
  isCheckoutErrorCode,
} from '../contract/errors.ts';
import { contractHeaders, contractVersion, type PaymentPreference } from '../contract/routes.ts';
import { type StoredPayment, toStoredPaymentsToken } from '../contract/stored-payments.ts';
import type { Environment } from './environment.ts';

/** How long a response may take beyond the requested wait. */
const timeoutMs = 15_000;
const checkBaseUrl = 'check that baseUrl is the address of the checkout handler.';

export type ServerOptions = {
  readonly environment: Pick<Environment, 'fetch' | 'setTimer'>;
  /** Without a trailing slash. */
  readonly baseUrl: string;
  readonly credentials?: RequestCredentials | undefined;
};

/** A response and its body; of an early request also when it arrived, on the monotonic clock. */
export type ReadResponse = {
  readonly response: Response;
  readonly json: unknown;
  readonly arrivedAtMs?: number;
};

export type EarlyRequest = {
  readonly response: Promise<ReadResponse>;
  readonly abort: () => void;
};

export type RequestOptions = {
  readonly method?: 'POST';
  readonly headers: Record<string, string>;
  readonly body?: string;
  readonly waitSeconds?: number;
  readonly signal: AbortSignal;
  readonly early?: EarlyRequest | undefined;
};

export type CheckoutResponse<T> = { readonly value: T } & ReturnType<typeof readHeaders>;

/** Sends a request to the checkout server, and resolves with a response of status 2xx or 304. @throws {CheckoutError} */
export async function send(
  { environment, baseUrl, credentials }: ServerOptions,
  path: string,
  { waitSeconds = 0, signal, early, ...init }: RequestOptions,
): Promise<ReadResponse> {
  const timeout = new AbortController();
  // The timeout includes the body: it may never end.
  const cancelTimeout = environment.setTimer(() => timeout.abort(), timeoutMs + waitSeconds * 1000);
  const ended = AbortSignal.any([signal, timeout.signal]);
  try {
    if (early) ended.addEventListener('abort', early.abort);
    const request = requestInit({ ...init, credentials, signal: ended });
    const arrived = await (early?.response ?? environment.fetch(baseUrl + path, request).then(readResponse));
    if (!arrived.response.ok && arrived.response.status !== 304) throw errorOf(arrived, init.method);
    return arrived;
  } catch (cause) {
    if (cause instanceof CheckoutError) throw cause;
    throw new CheckoutError('network_error', `No response from ${baseUrl + path}.`, { cause });
  } finally {
    cancelTimeout();
  }
}

export const requestInit = ({
  headers,
  credentials = 'same-origin',
  ...init
}: Pick<RequestOptions, 'method' | 'headers' | 'body' | 'signal'> &
  Pick<ServerOptions, 'credentials'>): RequestInit => ({
  ...init,
  credentials,
  headers: { ...headers, [contractHeaders.version]: `${contractVersion}` },
  cache: 'no-store',
  // A redirect would pass the client secret on.
  redirect: 'error',
});

export type SessionRequest = Omit<ServerOptions, 'environment'> & {
  readonly body: string;
};

export const sessionRequestKey = ({ baseUrl, body, credentials = 'same-origin' }: SessionRequest): string =>
  JSON.stringify([baseUrl, body, credentials]);

export const sessionHeaders = (
  stored: readonly StoredPayment[] = [],
  preference?: PaymentPreference,
): Record<string, string> => ({
  'content-type': 'application/json',
  ...(stored.length > 0 && { [contractHeaders.secret]: toStoredPaymentsToken(stored) }),
  ...(preference && { prefer: `payment=${preference}` }),
});

export async function readResponse(response: Response): Promise<ReadResponse> {
  try {
    return { response, json: await response.json() };
  } catch (error) {
    if ((error as Error).name === 'SyntaxError') return { response, json: undefined };
    throw error;
  }
}

export const readHeaders = ({ response: { headers }, arrivedAtMs }: ReadResponse) => ({
  etag: headers.get('etag') ?? undefined,
  serviceTimeMs: parseNumber(headers.get(contractHeaders.serviceTime)),
  nextPollMs: parseNumber(headers.get(contractHeaders.nextPoll)),
  arrivedAtMs,
});

/** Parses the body of a response. @throws {CheckoutError} `invalid_response`, naming the invalid field and never its value */
export function parseBody<const T extends v.GenericSchema>(
  schema: T,
  { json }: ReadResponse,
): v.InferOutput<T> {
  if (json === undefined) throw invalidResponse('is not JSON');
  const { success, output, issues } = v.safeParse(schema, json);
  if (success) return output;
  // Not the issue's own message: that would quote the value.
  throw invalidResponse(`has no valid "${v.getDotPath(issues[0]) ?? ''}"`);
}

export function invalidResponse(problem: string): CheckoutError {
  return new CheckoutError('invalid_response', `The response ${problem}; ${checkBaseUrl}`);
}

function parseNumber(text: string | null): number | undefined {
  return text !== null && /^\d{1,16}$/.test(text) ? Number(text) : undefined;
}

function errorOf(
  { response: { status, headers }, json }: ReadResponse,
  method: RequestOptions['method'],
): CheckoutError {
  const options = { retryAfterSeconds: parseNumber(headers.get('retry-after')) };
  // Only a code of the closed list is trusted, and no other field of the problem.
  const { code, detail } = Object(json) as { readonly code?: unknown; readonly detail?: unknown };
  if (isCheckoutErrorCode(code)) {
    return new CheckoutError(code, typeof detail === 'string' && detail !== '' ? detail : code, options);
  }
  return new CheckoutError(
    codeOfStatus(status, method),
    `The response has status ${status}; ${checkBaseUrl}`,
    options,
  );
}

function codeOfStatus(status: number, method: RequestOptions['method']): CheckoutErrorCode {
  const codes = Object.keys(checkoutErrorStatus) as CheckoutErrorCode[];
  if (status >= 500) return 'service_unavailable';
  // A gateway does not know the payment, so its refusal must not end polling.
  if (method !== 'POST' && status !== 429) return 'invalid_response';
  return codes.find((code) => checkoutErrorStatus[code] === status) ?? 'invalid_request';
}
