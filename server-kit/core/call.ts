import type * as v from 'valibot';
import type { PaymentsClientOptions } from './client-options.ts';
import { type Endpoint, type RequestOf, type ResponseOf, readRecord } from './endpoints.ts';
import type { PaymentsErrorCode } from './errors.ts';
import { codeOf, isTransient, isUncertain, PaymentsError, parseServiceError } from './errors.ts';
import { Identifier } from './fields.ts';
import { chunksOf, readText } from './http.ts';
import { canonicalJson, parseJsonObject } from './json.ts';
import { parseOrThrow } from './options.ts';
import { signatureHeaders, signRequest, toTimestamp } from './signature.ts';
import { type ServiceClock, TimeoutError, within } from './time.ts';

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

type CallContext = v.InferOutput<typeof PaymentsClientOptions> & {
  liveMode: boolean | undefined;
  clock: ServiceClock;
  fetch: typeof globalThis.fetch;
};

const [firstPauseMs, longestPauseMs] = [250, 4000];

/** Retries only what is idempotent: GET, PUT (RFC 9110, section 9.2.2), and a POST whose `reference` the service accepts once. */
export async function callEndpoint<E extends Endpoint>(
  context: CallContext,
  endpoint: E,
  input: CallInput<E>,
  options: CallOptions = {},
): Promise<ResponseOf<E>> {
  const { method, auth, hasReference }: Endpoint = endpoint;
  const { signal, shouldRetry = () => true, timeoutMs = context.timeoutMs } = options;
  const most = method !== 'POST' || hasReference ? (options.maxRetries ?? context.maxRetries) : 0;
  const request = { ...prepare(context, endpoint, input), timeoutMs, signal };
  const { clock, dialect } = context;
  let mayBeDone = false;
  let earlierOffsetMs: number | undefined;
  for (let attempts = 1, retries = 0; ; attempts++) {
    const offsetMs = clock.offsetMs();
    try {
      signal?.throwIfAborted();
      return (await send(context, request)) as ResponseOf<E>;
    } catch (cause) {
      const error = toPaymentsError(context, request, cause);
      error.attempts = error.code === 'aborted' ? attempts - 1 : attempts;
      error.isLikelyOwn = mayBeDone && hasReference === true;
      mayBeDone ||= isUncertain(error);
      if (error.status === 401 && auth === 'signature') {
        // A 401 may mean a wrong clock: try once with the service's, or with ours if that one is in use. If this fails too, put the earlier one back.
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

/** Returns the pause before the next attempt, with full jitter; `undefined` for no other attempt. */
function pauseBeforeRetry(error: PaymentsError, retries: number, random: () => number): number | undefined {
  const requestedMs = (error.retryAfterSeconds ?? 0) * 1000;
  if (!isTransient(error) || requestedMs > longestPauseMs) return undefined;
  const growingMs = Math.min(firstPauseMs * 2 ** retries, longestPauseMs);
  return Math.min(requestedMs + random() * growingMs, longestPauseMs);
}

function toPaymentsError(context: CallContext, prepared: Prepared, cause: unknown): PaymentsError {
  if (cause instanceof PaymentsError) return cause;
  const { timeoutMs, signal } = prepared;
  const { operation } = prepared.endpoint;
  const error = (code: PaymentsErrorCode, fault: string): PaymentsError =>
    new PaymentsError(code, `${operation} ${fault}.`, { operation, cause });
  if (signal?.aborted) return error('aborted', 'was aborted by its caller');
  if (cause instanceof TimeoutError) return error('timeout', `got no response within ${timeoutMs} ms`);
  const advice = 'check that the service is up and the address is right';
  return error('connection_lost', `could not reach ${context.baseUrl}; ${advice}`);
}

type Prepared = ReturnType<typeof prepare> & { timeoutMs: number; signal: AbortSignal | undefined };

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

async function send(context: CallContext, request: Prepared) {
  const { baseUrl, clock, fetch, wait } = context;
  const { endpoint, path, search, bodyText, timeoutMs, signal } = request;
  const { operation, method, maxResponseBytes = 65_536 } = endpoint;
  const sentAt = context.now();
  const headers = await headersOf(context, request);
  const invalid = (status: number, fault: string): PaymentsError =>
    new PaymentsError('invalid_response', `${operation} ${fault}; check baseUrl.`, { operation, status });
  const attempt = async (limit: AbortSignal) => {
    // A followed redirect would carry the signature to another host. Not every runtime supports `error`.
    const init: RequestInit = { method, headers, redirect: 'manual', body: bodyText ?? null, signal: limit };
    const response = await fetch(baseUrl + path + search, init);
    const { status, ok, body } = response;
    // Some runtimes hide a redirect behind the status 0.
    if (status === 0 || (status >= 300 && status < 400))
      throw invalid(status, 'was redirected to another address');
    const text = body === null ? '' : await readText(chunksOf(body), maxResponseBytes);
    if (typeof text === 'string') return { response, text };
    if (ok) throw invalid(status, `got a response that is ${text.problem}`);
    return { response, text: '' };
  };
  const { response, text } = await within(wait, timeoutMs, attempt, signal);
  const { status, ok } = response;
  if (!ok) throw readError(context, endpoint, response, text, sentAt);
  let body: object;
  try {
    body = parseJsonObject(text);
  } catch {
    // Without the cause: a SyntaxError quotes the text.
    throw invalid(status, `returned ${status}, but the body is not a JSON object`);
  }
  const record = readRecord(context, endpoint, body);
  clock.update(response.headers.get('date'), sentAt);
  return record;
}

/** Interface, section 5: apps need only the auth token, everything else a signature with a fresh timestamp. */
async function headersOf(context: CallContext, { endpoint, path, bodyText }: Prepared) {
  const { apiKey, apiSecret, authToken, clock, dialect } = context;
  const headers: Record<string, string> = { accept: 'application/json' };
  if (bodyText !== undefined) headers['content-type'] = 'application/json';
  if (endpoint.auth === 'bearer') return { ...headers, authorization: `Bearer ${authToken}` };
  const timestamp = toTimestamp(clock.now());
  const [secret = ''] = apiSecret;
  const { signature } = await signRequest({ secret, path, bodyText, timestamp, dialect });
  if (apiKey !== undefined) headers.authorization = `Bearer ${apiKey}`;
  const { signature: name, timestamp: time } = signatureHeaders;
  return { ...headers, [name]: signature, [time]: timestamp };
}

function readError(
  { apiKey, apiSecret, authToken, clock }: CallContext,
  { operation, auth, hasReference }: Endpoint,
  { status, headers }: Response,
  text: string,
  sentAt: number,
): PaymentsError {
  const date = headers.get('date');
  // A date in `Retry-After` is by the clock of the response.
  const nowMs = Date.parse(date ?? '') || clock.now();
  const retryAfter = headers.get('retry-after')?.trim() ?? '';
  // Seconds or a date (RFC 9110, section 10.2.3), which begins with the day of the week: `Date.parse` would read "-1" as a year.
  const dateMs = /^[A-Z]/i.test(retryAfter) ? Date.parse(retryAfter) : Number.NaN;
  const seconds = /^\d{1,9}$/.test(retryAfter) ? Number(retryAfter) : Math.max(0, (dateMs - nowMs) / 1000);
  const secrets = [apiKey, authToken, ...apiSecret].filter((secret) => secret !== undefined);
  const error = parseServiceError(text, secrets);
  const code = codeOf(status, error, hasReference === true);
  // Other errors may have a gateway's clock.
  if ((status === 401 && auth === 'signature') || code === 'not_found') clock.update(date, sentAt);
  const reason = error?.message || 'the body is not an error of the service; check baseUrl';
  return new PaymentsError(code, `${operation} failed with ${status}: ${reason}`, {
    operation,
    status,
    ...(!Number.isNaN(seconds) && { retryAfterSeconds: seconds }),
    ...(error && { params: error.params, serviceCode: error.code }),
  });
}
