import type * as v from 'valibot';
import { type Endpoint, type RequestOf, type ResponseOf, readRecord } from './endpoints.ts';
import type { PaymentsErrorCode } from './errors.ts';
import { codeOf, isTransient, isUncertain, PaymentsError, parseServiceError } from './errors.ts';
import { Identifier } from './fields.ts';
import { chunksOf, readText } from './http.ts';
import { canonicalJson, parseJsonObject } from './json.ts';
import { type Dialect, parseOrThrow } from './options.ts';
import { signatureHeaders, signRequest, toTimestamp } from './signature.ts';
import { type ServiceClock, TimeoutError, type Wait, within } from './time.ts';

export type CallOptions = {
  /** Aborts the call with its retries and pauses. */
  signal?: AbortSignal | undefined;
  /** The timeout of each attempt, including its body. Default: the client's; so is that of `maxRetries`. */
  timeoutMs?: number | undefined;
  maxRetries?: number | undefined;
  /** Called before each retry with the failure; return false to throw the failure instead. */
  shouldRetry?: ((error: PaymentsError) => boolean) | undefined;
};

export type CallInput<E extends Endpoint> = {
  path?: Readonly<Record<string, string>>;
  /** With its `?`. It is not signed. */
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

/** The first pause before a retry doubles with each retry, up to the longest. */
const [firstPauseMs, longestPauseMs] = [250, 4000];

/**
 * Validates a request, sends it with retries, and parses the response. A GET or a PUT is retried after a transient failure, because it is
 * idempotent (RFC 9110, section 9.2.2); so is a POST with a `reference`, which the service refuses when repeated. Throws `PaymentsError`
 */
export async function callEndpoint<E extends Endpoint>(
  context: CallContext,
  endpoint: E,
  input: CallInput<E>,
  options: CallOptions = {},
): Promise<ResponseOf<E>> {
  const { method, auth, hasReference }: Endpoint = endpoint;
  const { signal, shouldRetry = () => true, timeoutMs = context.timeoutMs } = options;
  const most = method !== 'POST' || hasReference ? (options.maxRetries ?? context.maxRetries) : 0;
  const request = prepare(context, endpoint, input);
  const { clock, dialect } = context;
  let mayBeDone = false;
  let earlierOffsetMs: number | undefined;
  for (let attempts = 1, retries = 0; ; attempts++) {
    const offsetMs = clock.offsetMs();
    try {
      signal?.throwIfAborted();
      return (await send(context, request, timeoutMs, signal)) as ResponseOf<E>;
    } catch (cause) {
      const error = toPaymentsError(context, request, cause, timeoutMs, signal);
      error.attempts = error.code === 'aborted' ? attempts - 1 : attempts;
      error.isLikelyOwn = mayBeDone && hasReference === true;
      mayBeDone ||= isUncertain(error);
      if (error.status === 401 && auth === 'signature') {
        // One more attempt, with the service's clock, or with ours if the service refuses its own. Neither is trusted if that did not help.
        const isFar = (ms: number): boolean => Math.abs(ms) > dialect.clockSkewThresholdSeconds * 1000;
        const hasMoved = isFar(clock.offsetMs() - offsetMs);
        if (earlierOffsetMs !== undefined) clock.restore(earlierOffsetMs);
        if (earlierOffsetMs !== undefined || !(hasMoved || isFar(offsetMs))) throw error;
        if (!hasMoved) clock.restore(0);
        earlierOffsetMs = offsetMs;
        continue;
      }
      const pauseMs = retries < most ? pauseBeforeRetry(error, retries++, context.random) : undefined;
      if (pauseMs === undefined || !shouldRetry(error)) throw error;
      await context.wait(pauseMs, signal).catch(() => {});
    }
  }
}

/** Returns the pause before the next attempt, in milliseconds, with full jitter; `undefined` if there must be none. */
function pauseBeforeRetry(error: PaymentsError, retries: number, random: () => number): number | undefined {
  const requestedMs = (error.retryAfterSeconds ?? 0) * 1000;
  if (!isTransient(error) || requestedMs > longestPauseMs) return undefined;
  const growingMs = Math.min(firstPauseMs * 2 ** retries, longestPauseMs);
  return Math.min(requestedMs + random() * growingMs, longestPauseMs);
}

function toPaymentsError(
  { baseUrl }: CallContext,
  { endpoint: { operation } }: Prepared,
  cause: unknown,
  timeoutMs: number,
  signal: AbortSignal | undefined,
): PaymentsError {
  if (cause instanceof PaymentsError) return cause;
  const error = (code: PaymentsErrorCode, fault: string): PaymentsError =>
    new PaymentsError(code, `${operation} ${fault}.`, { operation, cause });
  if (signal?.aborted) return error('aborted', 'was aborted by its caller');
  if (cause instanceof TimeoutError) return error('timeout', `got no response within ${timeoutMs} ms`);
  const advice = 'check that the service is up and the address is right';
  return error('connection_lost', `could not reach ${baseUrl}; ${advice}`);
}

type Prepared = ReturnType<typeof prepare>;

/** Throws `invalid_request`, whose `params` are the parameters at fault. */
function prepare(context: CallContext, endpoint: Endpoint, input: CallInput<Endpoint>) {
  const { operation, auth, request, amounts } = endpoint;
  const { search = '', body } = input;
  const refuse = (text: string, params: readonly string[], cause?: unknown): PaymentsError =>
    new PaymentsError('invalid_request', `${operation} was not sent: ${text}`, { operation, params, cause });
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
  const checked = request && check(request, body, 'body');
  try {
    const onWire = context.dialect.toWire(checked, amounts?.request ?? []);
    return { endpoint, path, search, bodyText: onWire === undefined ? undefined : canonicalJson(onWire) };
  } catch (cause) {
    throw refuse(cause instanceof Error ? cause.message : String(cause), ['body'], cause);
  }
}

/** Sends a request once, and reads its whole response within the timeout. */
async function send(context: CallContext, request: Prepared, timeoutMs: number, signal?: AbortSignal) {
  const { baseUrl, clock, fetch, wait } = context;
  const { endpoint, path, search, bodyText } = request;
  const { operation, method, maxResponseBytes = 65_536 } = endpoint;
  const sentAt = context.now();
  const headers = await headersOf(context, request);
  const invalid = (status: number, fault: string): PaymentsError =>
    new PaymentsError('invalid_response', `${operation} ${fault}; check baseUrl (${baseUrl}).`, {
      operation,
      status,
    });
  const attempt = async (limit: AbortSignal) => {
    // A followed redirect would carry the signature to another host; not every runtime supports `error`.
    const init: RequestInit = { method, headers, redirect: 'manual', body: bodyText ?? null, signal: limit };
    const response = await fetch(baseUrl + path + search, init);
    const { status, ok, body } = response;
    // Some runtimes show an unfollowed redirect, others hide it behind the status 0.
    if (status === 0 || (status >= 300 && status < 400))
      throw invalid(status, 'was redirected to another address');
    const text = body === null ? '' : await readText(chunksOf(body), maxResponseBytes);
    if (typeof text === 'string') return { response, text };
    if (ok) throw invalid(status, `got a response that is ${text.problem}`);
    // An error still counts by its status.
    return { response, text: '' };
  };
  const { response, text } = await within(wait, timeoutMs, attempt, signal);
  const { status, ok } = response;
  if (!ok) throw readError(context, endpoint, response, text, sentAt);
  const body = tryParseObject(text);
  if (!body) throw invalid(status, `returned ${status}, but the body is not a JSON object`);
  const record = readRecord(context, endpoint, body);
  clock.update(response.headers.get('date'), sentAt);
  return record;
}

/** Without the error: a SyntaxError quotes the text. */
function tryParseObject(text: string): object | undefined {
  try {
    return parseJsonObject(text);
  } catch {
    return undefined;
  }
}

/** Interface, section 5: apps use only the auth token, everything else a signature. Each attempt needs its own timestamp. */
async function headersOf(context: CallContext, { endpoint, path, bodyText }: Prepared) {
  const { apiKey, apiSecret, authToken, clock, dialect } = context;
  const content = {
    accept: 'application/json',
    ...(bodyText !== undefined && { 'content-type': 'application/json' }),
  };
  if (endpoint.auth === 'bearer') return { ...content, authorization: `Bearer ${authToken}` };
  const timestamp = toTimestamp(clock.now());
  const [secret = ''] = apiSecret;
  const { signature } = await signRequest({ secret, path, bodyText, timestamp, dialect });
  return {
    ...content,
    [signatureHeaders.signature]: signature,
    [signatureHeaders.timestamp]: timestamp,
    ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }),
  };
}

function readError(
  { apiKey, apiSecret, authToken, clock }: CallContext,
  { operation, auth, hasReference }: Endpoint,
  { status, headers }: Response,
  text: string,
  sentAt: number,
): PaymentsError {
  const date = headers.get('date');
  // Both times by the same clock: the response's own, if it has one.
  const nowMs = Date.parse(date ?? '') || clock.now();
  const retryAfter = headers.get('retry-after')?.trim() ?? '';
  // Seconds or a date (RFC 9110, section 10.2.3), which begins with the day of the week: `Date.parse` would read "-1" as a year.
  const dateMs = /^[A-Z]/i.test(retryAfter) ? Date.parse(retryAfter) : Number.NaN;
  const seconds = /^\d{1,9}$/.test(retryAfter) ? Number(retryAfter) : Math.max(0, (dateMs - nowMs) / 1000);
  const secrets = [apiKey, authToken, ...apiSecret].filter((secret) => secret !== undefined);
  const error = parseServiceError(text, secrets);
  const code = codeOf(status, error, hasReference === true);
  // A gateway's page has the gateway's clock. But a refused signature may be about ours, and a `not_found` record may
  // have ended by the service's time.
  if ((status === 401 && auth === 'signature') || code === 'not_found') clock.update(date, sentAt);
  const reason = error?.message || 'the body is not an error of the service; check baseUrl';
  return new PaymentsError(code, `${operation} failed with ${status}: ${reason}`, {
    operation,
    status,
    ...(!Number.isNaN(seconds) && { retryAfterSeconds: seconds }),
    ...(error && { params: error.params, serviceCode: error.code }),
  });
}
