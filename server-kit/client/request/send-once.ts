import * as v from 'valibot';
import type { Dialect } from '../api/dialect.ts';
import { abortAfter, raceAbort, type Wait } from '../async/wait.ts';
import { escapeControls } from '../errors/control-characters.ts';
import { ErrorEnvelope } from '../errors/error-envelope.ts';
import { abortedError, errorFromResponse, PaymentsError } from '../errors/payments-error.ts';
import { parseJsonObject } from '../signing/json-member.ts';
import { signatureHeaders, signRequestText, toTimestamp } from '../signing/signature.ts';
import type { PreparedRequest } from './prepare-request.ts';
import { cancelBody, readResponseText } from './read-response.ts';
import { parseRetryAfter } from './retry.ts';
import type { ServiceClock } from './service-clock.ts';

/** What every attempt needs; the same for all calls of a client. */
export type SendContext = {
  baseUrl: string;
  apiKey: string | undefined;
  /** The first one signs. */
  apiSecrets: readonly string[];
  authToken: string | undefined;
  fetch: typeof globalThis.fetch;
  now: () => number;
  wait: Wait;
  clock: ServiceClock;
  dialect: Readonly<Dialect>;
};

export type SendLimits = { timeoutMs: number; signal: AbortSignal | undefined };

/** A 2xx response with its JSON, not checked yet. */
export type SuccessResponse = {
  status: number;
  body: unknown;
  /** Sets the service clock by this response. Call it once the response is known to come from the service. */
  updateClock: () => void;
};

/**
 * Sends a request once and reads its whole response within the timeout. Signs here, because each attempt needs its own
 * timestamp.
 *
 * @throws {PaymentsError}
 */
export async function sendOnce(
  context: SendContext,
  request: PreparedRequest,
  limits: SendLimits,
): Promise<SuccessResponse> {
  const sentAt = readClock(request, context);
  const init = await createInit(context, request);
  const { response, text } = await sendWithTimeout(context, request, limits, init);
  const updateClock = (): void => context.clock.update(response.headers.get('date'), sentAt);
  if (!response.ok) {
    const error = readError(context, request, response, text);
    // A gateway's page has the gateway's clock. But a refused signature may be about ours, and a `not_found` record may
    // have ended by the service's time.
    const isAboutClock = response.status === 401 && request.auth === 'signature';
    if (isAboutClock || error.code === 'not_found') updateClock();
    throw error;
  }
  const { operation } = request;
  const { status } = response;
  try {
    return { status, body: parseJsonObject(text), updateClock };
  } catch {
    // Without the cause: a SyntaxError quotes the text.
    const message = `${operation} returned ${status}, but the body is not a JSON object with unique keys and at most 100 levels; check baseUrl (${context.baseUrl}).`;
    throw new PaymentsError('invalid_response', message, { operation, status });
  }
}

/** Refuses a broken local clock, which the service would report as a wrong signature. */
function readClock({ operation }: PreparedRequest, { now }: SendContext): number {
  const nowMs = now();
  if (/^\d{10}$/.test(toTimestamp(nowMs))) return nowMs;
  const message = `${operation} was not sent: now() returned ${nowMs}; it must return milliseconds since the epoch.`;
  throw new PaymentsError('invalid_options', message, { operation });
}

/** Some runtimes show an unfollowed redirect, others hide it behind the status 0. */
function rejectRedirect(baseUrl: string, { operation }: PreparedRequest, response: Response): void {
  const { status } = response;
  if (status !== 0 && (status < 300 || status > 399)) return;
  cancelBody(response);
  const message = `${operation} was redirected to another address; check baseUrl (${baseUrl}).`;
  throw new PaymentsError('invalid_response', message, { operation, status });
}

async function createInit(context: SendContext, request: PreparedRequest): Promise<RequestInit> {
  const { method, bodyText } = request;
  const headers = {
    accept: 'application/json',
    ...(bodyText !== undefined && { 'content-type': 'application/json' }),
    ...(await authenticate(context, request)),
  };
  // A followed redirect would carry the signature to another host; not every runtime supports `error`.
  return { method, headers, redirect: 'manual', ...(bodyText !== undefined && { body: bodyText }) };
}

/** Interface, section 5: apps use only the auth token, everything else a signature. */
async function authenticate(
  { apiKey, apiSecrets: [secret = ''], authToken, clock, dialect }: SendContext,
  { auth, path, bodyText }: PreparedRequest,
): Promise<Record<string, string>> {
  if (auth === 'bearer') return { authorization: `Bearer ${authToken}` };
  const timestamp = toTimestamp(clock.now());
  const { signature } = await signRequestText({ secret, path, bodyText, timestamp, dialect });
  return {
    [signatureHeaders.signature]: signature,
    [signatureHeaders.timestamp]: timestamp,
    ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }),
  };
}

/** One signal per attempt, so that the timeout also covers the body. */
async function sendWithTimeout(
  { wait, fetch, baseUrl }: SendContext,
  request: PreparedRequest,
  { timeoutMs, signal }: SendLimits,
  init: RequestInit,
): Promise<{ response: Response; text: string }> {
  const { operation, path, search } = request;
  const limit = abortAfter(wait, timeoutMs, signal);
  const send = async (): Promise<{ response: Response; text: string }> => {
    const response = await fetch(baseUrl + path + search, { ...init, signal: limit.signal });
    rejectRedirect(baseUrl, request, response);
    return { response, text: await readResponseText(request, response) };
  };
  try {
    return await raceAbort(send(), limit.signal);
  } catch (cause) {
    if (cause instanceof PaymentsError) throw cause;
    if (signal?.aborted) throw abortedError(operation, cause);
    if (limit.signal.aborted) {
      const message = `${operation} got no complete response within ${timeoutMs} ms.`;
      throw new PaymentsError('timeout', message, { operation, cause });
    }
    const message = `${operation} could not reach ${baseUrl}; check that the service is up and the address is right.`;
    throw new PaymentsError('connection_lost', message, { operation, cause });
  } finally {
    limit.end();
  }
}

function readError(
  context: SendContext,
  { operation, hasReference }: PreparedRequest,
  { status, headers }: Response,
  text: string,
): PaymentsError {
  // Both times by the same clock: the response's own, if it has one.
  const respondedAtMs = Date.parse(headers.get('date') ?? '') || context.clock.now();
  const retryAfterSeconds = parseRetryAfter(headers.get('retry-after'), respondedAtMs);
  const error = parseErrorBody(text, context);
  return errorFromResponse({ operation, status, error, hasReference, retryAfterSeconds });
}

/** Removes our secrets, because a service may quote the key that it refused, and escapes control characters. */
function parseErrorBody(
  text: string,
  { apiKey, apiSecrets, authToken }: SendContext,
): ErrorEnvelope['error'] | undefined {
  // The longest first, because one secret may begin with another.
  const secrets = [apiKey, authToken, ...apiSecrets]
    .filter((secret) => secret !== undefined)
    .sort((left, right) => right.length - left.length);
  const redact = (text: string): string =>
    secrets.reduce((redacted, secret) => redacted.replaceAll(secret, '[redacted]'), text);
  try {
    const envelope: unknown = JSON.parse(text, (_key, value: unknown) =>
      typeof value === 'string' ? escapeControls(redact(value)) : value,
    );
    return v.parse(ErrorEnvelope, envelope).error;
  } catch {
    return undefined;
  }
}
