import {
  CheckoutError,
  type CheckoutErrorCode,
  checkoutErrorStatus,
  isCheckoutErrorCode,
} from '../../contract/errors.ts';
import { ownFields } from '../../contract/own-fields.ts';
import type { Environment } from './environment.ts';
import {
  type EarlyRequest,
  type ReadResponse,
  readJson,
  requestInit,
  versionHeader,
} from './request-init.ts';
import { linkAbort, orAbort } from './wait.ts';

/** How long a response may take beyond the requested wait. */
const timeoutMs = 15_000;
const checkBaseUrl = 'check that baseUrl is the address of the checkout handler.';

export type RequestOptions = {
  readonly method?: 'POST';
  readonly headers: Record<string, string>;
  readonly body?: string;
  /** How long the server may hold the response. */
  readonly waitSeconds?: number;
  readonly signal: AbortSignal;
  /** The same request, if it was sent early. */
  readonly early?: EarlyRequest | undefined;
};

/**
 * Sends a request to the checkout server. Resolves with a response of status 2xx or 304.
 *
 * @throws {CheckoutError} for every failure; its message never contains a header
 */
export type SendRequest = (path: string, options: RequestOptions) => Promise<ReadResponse>;

/** The checkout server and how to reach it. */
export type ServerOptions = {
  readonly environment: Pick<Environment, 'fetch' | 'setTimer'>;
  /** Without a trailing slash. */
  readonly baseUrl: string;
  /** Whether `fetch` sends cookies; `same-origin` when left out. */
  readonly credentials?: RequestCredentials | undefined;
};

export function createSendRequest({
  environment,
  baseUrl,
  credentials = 'same-origin',
}: ServerOptions): SendRequest {
  return async (path, { headers, waitSeconds = 0, signal, early, ...init }) => {
    // The timeout includes the body: it may never end.
    const { controller, release } = linkAbort(signal);
    const cancelTimeout = environment.setTimer(() => controller.abort(), timeoutMs + waitSeconds * 1000);
    try {
      controller.signal.addEventListener('abort', () => early?.abort());
      const request = {
        ...init,
        ...requestInit,
        headers: { ...headers, ...versionHeader },
        credentials,
        signal: controller.signal,
      };
      const sent = early?.response ?? read(environment.fetch(baseUrl + path, request));
      const arrived = await orAbort(controller.signal, sent);
      if (!arrived.response.ok && arrived.response.status !== 304) throw errorOf(arrived, init.method);
      return arrived;
    } catch (cause) {
      if (cause instanceof CheckoutError) throw cause;
      throw new CheckoutError('network_error', `No response from ${baseUrl + path}.`, { cause });
    } finally {
      cancelTimeout();
      release();
    }
  };
}

async function read(sent: Promise<Response>): Promise<ReadResponse> {
  const response = await sent;
  return { response, json: await readJson(response) };
}

/** Returns the number of a header; undefined where it has none. */
export function parseNumber(text: string | null): number | undefined {
  return text !== null && /^\d{1,16}$/.test(text) ? Number(text) : undefined;
}

export function invalidResponse(problem: string): CheckoutError {
  return new CheckoutError('invalid_response', `The response ${problem}; ${checkBaseUrl}`);
}

function errorOf(
  { response: { status, headers }, json }: ReadResponse,
  method: RequestOptions['method'],
): CheckoutError {
  const options = { retryAfterSeconds: parseNumber(headers.get('retry-after')) };
  // Only a code of the closed list is trusted, and no other field of the problem.
  const { code, detail } = ownFields(json, ['code', 'detail']);
  if (isCheckoutErrorCode(code)) {
    return new CheckoutError(code, typeof detail === 'string' && detail !== '' ? detail : code, options);
  }
  return new CheckoutError(
    codeOfStatus(status, method),
    `The response has status ${status}; ${checkBaseUrl}`,
    options,
  );
}

/** Maps the status of a gateway, or of a newer checkout server, to a code. */
function codeOfStatus(status: number, method: RequestOptions['method']): CheckoutErrorCode {
  const codes = Object.keys(checkoutErrorStatus) as CheckoutErrorCode[];
  if (status >= 500) return 'service_unavailable';
  // A gateway does not know the payment, so its refusal must not end polling.
  if (method !== 'POST' && status !== 429) return 'invalid_response';
  return codes.find((code) => checkoutErrorStatus[code] === status) ?? 'invalid_request';
}
