import * as v from 'valibot';
import {
  CheckoutError,
  type CheckoutErrorCode,
  checkoutErrorStatus,
  contractHeaders,
  isCheckoutErrorCode,
  ownCopy,
  type Problem,
} from '../../contract/index.ts';
import { commonInit, type EarlyRequest, type ReadResponse, versionHeader } from './common-request.ts';
import type { Environment } from './environment.ts';
import { linkAbort } from './wait.ts';

/** How long a response may take beyond the requested wait. */
const timeoutMs = 15_000;
const checkBaseUrl = 'check that baseUrl leads to the checkout handler.';

/** The times of a response of the checkout server, in milliseconds. */
export type ResponseTimes = {
  /** The service's clock, since the epoch. */
  readonly serviceTimeMs: number | undefined;
  /** When an early response arrived, on the monotonic clock. */
  readonly arrivedAtMs?: number | undefined;
};

/** A response of the checkout server. */
export type CheckoutResponse<T> = ResponseTimes & {
  readonly value: T;
  readonly etag: string | undefined;
  /** Milliseconds until the next poll. */
  readonly nextPollMs: number | undefined;
};

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
 * Sends a request to the checkout server; `parse` reads the body of a response with status 2xx or 304.
 *
 * @throws {CheckoutError} for every failure; its message never contains a header
 */
export type SendRequest = <T>(
  path: string,
  options: RequestOptions,
  parse: (text: string, status: number) => T,
) => Promise<CheckoutResponse<T>>;

/** The checkout server and how to reach it. */
export type ServerOptions = {
  readonly environment: Environment;
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
  return async (path, { headers, waitSeconds = 0, signal, early, ...init }, parse) => {
    // The timeout includes the body: it may never end.
    const { controller, release } = linkAbort(signal);
    const cancelTimeout = environment.setTimer(() => controller.abort(), timeoutMs + waitSeconds * 1000);
    try {
      controller.signal.addEventListener('abort', () => early?.abort());
      const request = {
        ...init,
        ...commonInit,
        headers: { ...headers, ...versionHeader },
        credentials,
        signal: controller.signal,
      };
      const { response, text, arrivedAtMs } = await (early?.response ??
        readResponse(environment.fetch(baseUrl + path, request)));
      if (!response.ok && response.status !== 304) throw errorOf(response, text, init.method);
      return { value: parse(text, response.status), ...parseHeaders(response.headers), arrivedAtMs };
    } catch (cause) {
      if (cause instanceof CheckoutError) throw cause;
      throw new CheckoutError('network_error', `No response from ${baseUrl + path}.`, { cause });
    } finally {
      cancelTimeout();
      release();
    }
  };
}

async function readResponse(sent: Promise<Response>): Promise<ReadResponse> {
  const response = await sent;
  return { response, text: await response.text() };
}

function parseHeaders(headers: Headers): Omit<CheckoutResponse<unknown>, 'value'> {
  return {
    etag: headers.get('etag') ?? undefined,
    serviceTimeMs: parseNumber(headers.get(contractHeaders.serviceTime)),
    nextPollMs: parseNumber(headers.get(contractHeaders.nextPoll)),
  };
}

function parseNumber(text: string | null): number | undefined {
  return text !== null && /^\d{1,16}$/.test(text) ? Number(text) : undefined;
}

/**
 * Parses the JSON body of a response.
 *
 * @throws {CheckoutError} `invalid_response`, naming the invalid field and never its value
 */
export function parseBody<const T extends v.GenericSchema>(schema: T, text: string): v.InferOutput<T> {
  const json = parseJson(text);
  if (json === undefined) throw invalidResponse('is not JSON');
  const { success, output, issues } = v.safeParse(schema, json);
  if (success) return output;
  // Not the issue's own message: that would quote the value.
  throw invalidResponse(`has no valid "${issues[0].path?.map(({ key }) => key).join('.')}"`);
}

/** Returns undefined for a text that is not JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function invalidResponse(problem: string): CheckoutError {
  return new CheckoutError('invalid_response', `The response ${problem}; ${checkBaseUrl}`);
}

function errorOf(
  { status, headers }: Response,
  text: string,
  method: RequestOptions['method'],
): CheckoutError {
  const options = { retryAfterSeconds: parseNumber(headers.get('retry-after')) };
  // Only a code of the closed list is trusted, and no other field of the problem.
  const { code, detail }: Partial<Problem> = ownCopy(parseJson(text) as Partial<Problem>);
  if (isCheckoutErrorCode(code)) return new CheckoutError(code, `${detail ?? code}`, options);
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
