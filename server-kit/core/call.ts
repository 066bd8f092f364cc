import type * as v from 'valibot';
import type { Endpoint, RequestOf, ResponseOf } from './endpoints.ts';
import {
  errorFromResponse,
  InvalidRequestError,
  isTransient,
  isUncertain,
  PaymentsError,
  type PaymentsErrorCode,
  parseServiceError,
} from './errors.ts';
import { convertAmount, fromWireAmount, Identifier, isPlainObject, toWireAmount } from './fields.ts';
import { readText } from './http.ts';
import { canonicalJson, parseJsonObject } from './json.ts';
import { type Dialect, parseOrThrow } from './options.ts';
import { signatureHeaders, signRequestText, toTimestamp } from './signature.ts';
import { type ServiceClock, TimeoutError, type Wait, within } from './time.ts';

export type CallOptions = {
  /** Aborts the call with its retries and pauses. */
  signal?: AbortSignal;
  /** The timeout of each attempt, including its body, in milliseconds. Default: the client's. */
  timeoutMs?: number;
  /** How many times the call may be sent again. Default: the client's. */
  maxRetries?: number;
};

export type CallInput<E extends Endpoint> = {
  /** The values of the path's placeholders. */
  path?: Readonly<Record<string, string>>;
  /** The query, with its `?`. It is not signed. */
  search?: string;
  body?: RequestOf<E>;
};

/** What all calls of a client share. */
export type CallContext = {
  baseUrl: string;
  apiKey?: string | undefined;
  /** The first one signs. */
  apiSecret: readonly string[];
  authToken?: string | undefined;
  liveMode: boolean | undefined;
  dialect: Dialect;
  clock: ServiceClock;
  fetch: typeof globalThis.fetch;
  now: () => number;
  wait: Wait;
  random: () => number;
  timeoutMs: number;
  maxRetries: number;
};

/** The longest first pause before a retry, in milliseconds; it doubles with each retry, up to the longest pause. */
const [firstPauseMs, longestPauseMs] = [250, 8000];

/**
 * Calls one endpoint: validates the request, sends it with retries, and parses the response.
 *
 * A GET or a PUT is retried after a transient failure, because it is idempotent (RFC 9110, section 9.2.2); so is a POST with a
 * `reference`, because the service refuses a repeated reference. Any other POST is sent once.
 *
 * @throws {PaymentsError}
 */
export async function callEndpoint<E extends Endpoint>(
  context: CallContext,
  endpoint: E,
  input: CallInput<E>,
  { signal, timeoutMs = context.timeoutMs, maxRetries = context.maxRetries }: CallOptions = {},
): Promise<ResponseOf<E>> {
  const { operation, method, hasReference }: Endpoint = endpoint;
  const request = prepare(context, endpoint, input);
  const most = method !== 'POST' || hasReference ? maxRetries : 0;
  let mayBeDone = false;
  let earlierOffsetMs: number | undefined;
  for (let attempts = 1, retries = 0; ; attempts++) {
    const offsetMs = context.clock.offsetMs();
    try {
      if (signal?.aborted) throw signal.reason;
      return (await send(context, request, timeoutMs, signal)) as ResponseOf<E>;
    } catch (cause) {
      const error = toPaymentsError(context, operation, cause, timeoutMs, signal);
      mayBeDone ||= isUncertain(error);
      Object.assign(error, { attempts, mayBeDone });
      if (error.status === 401 && endpoint.auth === 'signature') {
        // One more attempt with the service's clock. If that did not help, its time is not to be trusted.
        const isSkewed = Math.abs(context.clock.offsetMs() - offsetMs) > skewMs(context);
        if (earlierOffsetMs !== undefined) context.clock.restore(earlierOffsetMs);
        if (!isSkewed || earlierOffsetMs !== undefined) throw error;
        earlierOffsetMs = offsetMs;
      } else {
        const pauseMs = pauseBeforeRetry(error, retries++, most, context.random);
        if (pauseMs === undefined) throw error;
        await context.wait(pauseMs, signal).catch(() => {});
      }
    }
  }
}

const skewMs = ({ dialect }: CallContext): number => dialect.clockSkewThresholdSeconds * 1000;

/** Returns the pause before the next attempt, in milliseconds, with full jitter; `undefined` if there must be none. */
function pauseBeforeRetry(error: PaymentsError, retries: number, most: number, random: () => number) {
  const requestedMs = (error.retryAfterSeconds ?? 0) * 1000;
  if (!isTransient(error) || retries >= most || requestedMs > longestPauseMs) return undefined;
  return Math.min(requestedMs + random() * firstPauseMs * 2 ** retries, longestPauseMs);
}

function toPaymentsError(
  { baseUrl }: CallContext,
  operation: string,
  cause: unknown,
  timeoutMs: number,
  signal: AbortSignal | undefined,
): PaymentsError {
  if (cause instanceof PaymentsError) return cause;
  const error = (code: PaymentsErrorCode, fault: string): PaymentsError =>
    new PaymentsError(code, `${operation} ${fault}.`, { operation, cause });
  if (signal?.aborted) return error('aborted', 'was aborted by its caller');
  if (cause instanceof TimeoutError)
    return error('timeout', `got no complete response within ${timeoutMs} ms`);
  return error(
    'connection_lost',
    `could not reach ${baseUrl}; check that the service is up and the address is right`,
  );
}

type Prepared = { endpoint: Endpoint; path: string; search: string; bodyText: string | undefined };

/** @throws {InvalidRequestError} `invalid_request`; `params` has the parameters at fault */
function prepare(context: CallContext, endpoint: Endpoint, input: CallInput<Endpoint>): Prepared {
  const { operation, auth, request, amounts } = endpoint;
  const refuse = (text: string, params: readonly string[], cause?: unknown): PaymentsError =>
    new InvalidRequestError('invalid_request', `${operation} was not sent: ${text}`, {
      operation,
      params,
      cause,
    });
  if (auth === 'bearer' && context.authToken === undefined) {
    const message = `${operation} needs the auth token of your account; pass it to createPaymentsClient as authToken.`;
    throw new PaymentsError('invalid_options', message, { operation });
  }
  const check = (schema: v.GenericSchema, value: unknown, whole: string): unknown =>
    parseOrThrow(schema, value, whole, (text, params) =>
      refuse(`${text}.`, params.length > 0 ? params : [whole]),
    );
  const path = endpoint.path.replace(/\{(\w+)\}/g, (_placeholder, name: string) =>
    encodeURIComponent(check(Identifier, input.path?.[name], name) as string),
  );
  const { search = '', body } = input;
  if (request === undefined) return { endpoint, path, search, bodyText: undefined };
  // A Map would pass as an object without fields.
  if (body !== undefined && !isPlainObject(body)) throw refuse('body: must be a plain object.', ['body']);
  const checked = check(request, body, 'body');
  try {
    const toWire = (amount: number): number => toWireAmount(amount, context.dialect.amountUnit);
    const onWire = (amounts.request ?? []).reduce((one, field) => convertAmount(one, field, toWire), checked);
    return { endpoint, path, search, bodyText: canonicalJson(onWire) };
  } catch (cause) {
    throw refuse(cause instanceof Error ? cause.message : String(cause), ['body'], cause);
  }
}

/** Sends a request once, and reads its whole response within the timeout. Signs here, because each attempt needs its own timestamp. */
async function send(context: CallContext, request: Prepared, timeoutMs: number, signal?: AbortSignal) {
  const { baseUrl, clock, fetch, wait } = context;
  const { endpoint, path, search, bodyText } = request;
  const sentAt = context.now();
  const headers = await headersOf(context, request);
  // A followed redirect would carry the signature to another host; not every runtime supports `error`.
  const init: RequestInit = { method: endpoint.method, headers, redirect: 'manual', body: bodyText ?? null };
  const { response, text } = await within(
    wait,
    timeoutMs,
    async (limit) => {
      const received = await fetch(baseUrl + path + search, { ...init, signal: limit });
      return { response: received, text: await readResponse(context, endpoint, received) };
    },
    signal,
  );
  const updateClock = (): void => clock.update(response.headers.get('date'), sentAt);
  if (response.ok) {
    const record = readRecord(context, endpoint, parseBody(context, endpoint, response.status, text));
    updateClock();
    return record;
  }
  const error = readError(context, endpoint, response, text);
  // A gateway's page has the gateway's clock. But a refused signature may be about ours, and a `not_found` record may
  // have ended by the service's time.
  if ((response.status === 401 && endpoint.auth === 'signature') || error.code === 'not_found') updateClock();
  throw error;
}

/** Interface, section 5: apps use only the auth token, everything else a signature. */
async function headersOf(context: CallContext, { endpoint, path, bodyText }: Prepared): Promise<HeadersInit> {
  const {
    apiKey,
    apiSecret: [secret = ''],
    authToken,
    clock,
    dialect,
  } = context;
  const content = {
    accept: 'application/json',
    ...(bodyText !== undefined && { 'content-type': 'application/json' }),
  };
  if (endpoint.auth === 'bearer') return { ...content, authorization: `Bearer ${authToken}` };
  const timestamp = toTimestamp(clock.now());
  const { signature } = await signRequestText({ secret, path, bodyText, timestamp, dialect });
  return {
    ...content,
    [signatureHeaders.signature]: signature,
    [signatureHeaders.timestamp]: timestamp,
    ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }),
  };
}

/** An error response that is too large or not UTF-8 still counts by its status. */
async function readResponse(
  { baseUrl }: CallContext,
  endpoint: Endpoint,
  response: Response,
): Promise<string> {
  const { operation, maxResponseBytes } = endpoint;
  const { status, ok, body } = response;
  const invalid = (fault: string): PaymentsError =>
    new PaymentsError('invalid_response', `${operation} ${fault}; check baseUrl (${baseUrl}).`, {
      operation,
      status,
    });
  // Some runtimes show an unfollowed redirect, others hide it behind the status 0.
  if (status === 0 || (status >= 300 && status < 400)) throw invalid('was redirected to another address');
  const text = await readText(body, maxResponseBytes);
  if (typeof text !== 'string' && ok) throw invalid(`got a response that is ${text.problem}`);
  return typeof text === 'string' ? text : '';
}

function readError(context: CallContext, endpoint: Endpoint, { status, headers }: Response, text: string) {
  const { operation, hasReference = false } = endpoint;
  const { apiKey, apiSecret, authToken, clock } = context;
  // Both times by the same clock: the response's own, if it has one.
  const nowMs = Date.parse(headers.get('date') ?? '') || clock.now();
  const retryAfter = headers.get('retry-after')?.trim() ?? '';
  // Seconds or a date (RFC 9110, section 10.2.3), which begins with the day of the week: `Date.parse` would read "-1" as a year.
  const seconds = /^\d{1,9}$/.test(retryAfter) ? Number(retryAfter) : (Date.parse(retryAfter) - nowMs) / 1000;
  const retryAfterSeconds = /^[\dA-Z]/i.test(retryAfter) && seconds >= 0 ? seconds : undefined;
  const secrets = [apiKey, authToken, ...apiSecret].filter((secret) => secret !== undefined);
  const error = parseServiceError(text, secrets);
  return errorFromResponse({ operation, status, error, hasReference, retryAfterSeconds });
}

function parseBody({ baseUrl }: CallContext, { operation }: Endpoint, status: number, text: string): object {
  try {
    return parseJsonObject(text);
  } catch {
    // Without the cause: a SyntaxError quotes the text.
    const message = `${operation} returned ${status}, but the body is not a JSON object; check baseUrl (${baseUrl}).`;
    throw new PaymentsError('invalid_response', message, { operation, status });
  }
}

/**
 * Reads a record of a response, with amounts in minor units. Unknown fields and unknown enum values are kept; a fee that cannot be read is
 * left out, unless it decides what was paid.
 *
 * @throws {PaymentsError} `invalid_response` for a record without a required field, or with an unreadable amount; `invalid_options` for one
 *   of the other mode than the client's
 */
export function readRecord(
  { dialect, liveMode }: Pick<CallContext, 'dialect' | 'liveMode'>,
  { operation, response, amounts }: Endpoint,
  body: unknown,
): unknown {
  const invalid = (text: string, params: readonly string[], cause?: unknown): PaymentsError =>
    new PaymentsError('invalid_response', `The response to ${operation} ${text}.`, {
      operation,
      status: 200,
      params,
      cause,
    });
  const checked = parseOrThrow(response, body, 'body', (text, params) =>
    invalid(`does not match the interface: ${text}`, params),
  );
  const record = amounts.response.reduce(
    (before, field) => {
      try {
        return convertAmount(before, field, (amount) => fromWireAmount(amount, dialect.amountUnit));
      } catch (cause) {
        const why = `${(cause as Error).message}; check dialect.amountUnit`;
        throw invalid(
          `has an amount that does not fit the unit "${dialect.amountUnit}" (${why})`,
          [field],
          cause,
        );
      }
    },
    checked as Record<string, unknown>,
  );
  const fees = amounts.response.filter((field) => field.endsWith('?')).map((field) => field.slice(0, -1));
  const lost = fees.filter(
    (fee) => (body as Record<string, unknown>)[fee] != null && record[fee] === undefined,
  );
  if (lost.length > 0 && dialect.chargedAmountBasis === 'net')
    throw invalid('has a fee that cannot be read', lost);
  // Test money must not pay a live order, nor live money a test order.
  if (liveMode === undefined || record.liveMode !== !liveMode) return record;
  const message = `${operation} returned a record in ${liveMode ? 'test' : 'live'} mode, but createPaymentsClient has liveMode: ${liveMode}; check that apiKey and apiSecret are for that mode; live mode needs an https baseUrl.`;
  throw new PaymentsError('invalid_options', message, { operation, params: ['liveMode'] });
}
