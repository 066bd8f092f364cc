import * as v from 'valibot';
import { ErrorEnvelope } from './api/error-envelope.ts';
import type { Dialect } from './dialect.ts';
import { errorFromAnswer, InvalidRequestError, PaymentsError } from './errors.ts';
import { parseRetryAfter } from './retry.ts';
import type { ServiceClock } from './service-clock.ts';
import { type RequestSignature, signatureHeaders, signRequest, toTimestamp } from './signature.ts';
import { abortAfter, raceAbort, type Wait } from './wait.ts';

/** What every attempt needs; the same for all calls of a client. */
export type AttemptContext = {
  baseUrl: string;
  apiKey: string | undefined;
  apiSecret: string;
  fetch: typeof globalThis.fetch;
  now: () => number;
  wait: Wait;
  clock: ServiceClock;
  dialect: Readonly<Dialect>;
};

export type AttemptRequest = {
  operation: string;
  method: string;
  /** The path from `/v1` on: what is signed. */
  path: string;
  body: unknown;
  hasReference: boolean;
  timeoutMs: number;
  signal: AbortSignal | undefined;
};

/**
 * Sends one signed request and reads its whole answer within the timeout. The signature is made here, because a
 * retry a minute later needs a timestamp of its own.
 *
 * @returns the parsed JSON body of a 2xx answer
 * @throws {PaymentsError}
 */
export async function attempt(context: AttemptContext, request: AttemptRequest): Promise<unknown> {
  const sentAt = context.now();
  const init = await signedInit(context, request);
  const { response, text } = await sendWithTimeout(context, request, init);
  const learnTime = (): void => context.clock.learn(response.headers.get('date'), sentAt);
  if (!response.ok) {
    // A gateway's own page has a clock of its own; a refused signature may be about ours.
    if (response.status === 401) learnTime();
    throw refusal(context, request, response, text);
  }
  try {
    const answer: unknown = JSON.parse(text);
    learnTime();
    return answer;
  } catch {
    // Without its cause: a SyntaxError quotes the text.
    throw new PaymentsError(
      'invalid_response',
      `${request.operation} was answered with ${response.status}, but the body is not JSON; check baseUrl (${context.baseUrl}).`,
      { operation: request.operation, status: response.status },
    );
  }
}

async function signedInit(context: AttemptContext, request: AttemptRequest): Promise<RequestInit> {
  const timestamp = toTimestamp(context.clock.now());
  const { bodyText, signature } = await sign(context, request, timestamp);
  const headers = {
    accept: 'application/json',
    [signatureHeaders.signature]: signature,
    [signatureHeaders.timestamp]: timestamp,
    ...(bodyText !== undefined && { 'content-type': 'application/json' }),
    ...(context.apiKey !== undefined && { authorization: `Bearer ${context.apiKey}` }),
  };
  // A followed redirect would carry the signature to another host.
  return {
    method: request.method,
    headers,
    redirect: 'error',
    ...(bodyText !== undefined && { body: bodyText }),
  };
}

async function sign(
  { apiSecret: secret, dialect }: AttemptContext,
  { operation, path, body }: AttemptRequest,
  timestamp: string,
): Promise<RequestSignature> {
  try {
    return await signRequest({ secret, path, body, timestamp, dialect });
  } catch (cause) {
    const message = `${operation} was not sent: ${(cause as Error).message}`;
    throw new InvalidRequestError('invalid_request', message, { operation, params: ['body'], cause });
  }
}

/** One signal an attempt: the timeout covers the body too, which a timer that ends at the headers would not. */
async function sendWithTimeout(
  context: AttemptContext,
  request: AttemptRequest,
  init: RequestInit,
): Promise<{ response: Response; text: string }> {
  const { operation, timeoutMs, signal } = request;
  const { signal: timeout, cancel } = abortAfter(context.wait, timeoutMs);
  const either = signal === undefined ? timeout : AbortSignal.any([signal, timeout]);
  const send = async (): Promise<{ response: Response; text: string }> => {
    const response = await context.fetch(context.baseUrl + request.path, { ...init, signal: either });
    return { response, text: await response.text() };
  };
  try {
    return await raceAbort(send(), either);
  } catch (cause) {
    if (signal?.aborted)
      throw new PaymentsError('aborted', `${operation} was aborted by its caller.`, { operation, cause });
    if (timeout.aborted) {
      throw new PaymentsError('timeout', `${operation} had no whole answer after ${timeoutMs} ms.`, {
        operation,
        cause,
      });
    }
    throw new PaymentsError(
      'connection_lost',
      `${operation} could not reach ${context.baseUrl}; check that the service is up and the address is right.`,
      { operation, cause },
    );
  } finally {
    cancel();
  }
}

function refusal(
  { clock }: AttemptContext,
  { operation, hasReference }: AttemptRequest,
  { status, headers }: Response,
  text: string,
): PaymentsError {
  const retryAfterSeconds = parseRetryAfter(headers.get('retry-after'), clock.now());
  return errorFromAnswer({ operation, status, error: parseEnvelope(text), hasReference, retryAfterSeconds });
}

function parseEnvelope(text: string): ErrorEnvelope['error'] | undefined {
  try {
    return v.parse(ErrorEnvelope, JSON.parse(text)).error;
  } catch {
    return undefined;
  }
}
