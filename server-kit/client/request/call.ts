import { endpoints, type Operation, type ResponseOf } from '../../api/endpoints.ts';
import { abortedError, PaymentsError, type PaymentsErrorCode } from '../../errors/payments-error.ts';
import { type CallOptions, checkCallOptions } from './call-options.ts';
import type { NotifyAttempt } from './hooks.ts';
import { parseResponse } from './parse-response.ts';
import { type CallInput, type PreparedRequest, prepareRequest } from './prepare-request.ts';
import { type RetryPolicy, retryDelayMs } from './retry.ts';
import { type SendContext, sendOnce } from './send-once.ts';

export type CallContext = SendContext & {
  timeoutMs: number;
  retry: RetryPolicy;
  random: () => number;
  /** The mode of the keys, where it is known. */
  liveMode: boolean | undefined;
  notifyAttempt: NotifyAttempt;
  /** Hears of records of a list that could not be read. */
  report: (error: unknown) => void;
};

/**
 * Calls one endpoint: checks the request, sends it until it succeeds or cannot, and parses the answer.
 *
 * What may be sent again after a failure that may pass: a GET and a PUT, because they do no more the second time
 * (RFC 9110, section 9.2.2), and a POST with a `reference`, because the service refuses the second of two equal ones.
 * Any other POST is sent once: a second request for an account could make two, and a second cancellation would be
 * refused, and so hide that the first was done.
 *
 * @throws {PaymentsError}
 */
export type Call = <Op extends Operation>(
  operation: Op,
  input: CallInput<Op>,
  options?: CallOptions,
) => Promise<ResponseOf<Op>>;

export function createCall(context: CallContext): Call {
  return async (operation, input, options = {}) => {
    checkCallOptions(operation, options);
    const {
      signal,
      timeoutMs = context.timeoutMs,
      maxRetries = context.retry.maxRetries,
      shouldRetry,
    } = options;
    const request = prepareRequest(operation, input, context.dialect);
    requireToken(request, context);
    const isRepeatable = request.method !== 'POST' || request.hasReference;
    const retry = { ...context.retry, maxRetries: isRepeatable ? maxRetries : 0 };
    const result = await withRetries({ ...context, retry, shouldRetry }, request, signal, async () => {
      const response = await sendOnce(context, request, { timeoutMs, signal });
      const result = parseResponse(operation, response, context.dialect);
      requireMode(context, operation, result);
      response.updateClock();
      return { status: response.status, result };
    });
    invalidRecordsOf(operation, result).forEach(context.report);
    return result;
  };
}

/** The records of a page that could not be read. Only of a page: elsewhere a field of that name is the service's. */
const invalidRecordsOf = (operation: Operation, result: unknown): readonly PaymentsError[] =>
  'query' in endpoints[operation] ? (result as { invalid: PaymentsError[] }).invalid : [];

function requireToken({ operation, auth }: PreparedRequest, { authToken }: CallContext): void {
  if (auth !== 'bearer' || authToken !== undefined) return;
  const message = `${operation} needs the auth token of your account; pass it to createPaymentsClient as authToken.`;
  throw new PaymentsError('invalid_options', message, { operation });
}

/** Test money must not pay a live order, nor live money a test. What the merchant has declared decides. */
function requireMode({ liveMode }: CallContext, operation: Operation, result: unknown): void {
  const { data } = result as { data?: unknown };
  const records = [result, ...(Array.isArray(data) ? data : [])] as { liveMode?: unknown }[];
  const isOther = (record: { liveMode?: unknown }): boolean => record.liveMode === !liveMode;
  if (liveMode === undefined || !records.some(isOther)) return;
  const message = `${operation} was answered with a record of ${liveMode ? 'test' : 'live'} mode, and createPaymentsClient has liveMode: ${liveMode}; check that apiKey and apiSecret are of that mode.`;
  throw new PaymentsError('invalid_options', message, { operation, params: ['liveMode'] });
}

async function withRetries<Result>(
  context: CallContext & Pick<CallOptions, 'shouldRetry'>,
  request: PreparedRequest,
  signal: AbortSignal | undefined,
  send: () => Promise<{ status: number; result: Result }>,
): Promise<Result> {
  let previousOffsetMs: number | undefined;
  let isPossiblyDone = false;
  for (let attempt = 1, retries = 0; ; attempt++) {
    if (signal?.aborted) throw abortedError(request.operation, signal.reason, attempt - 1);
    const offsetMs = context.clock.offsetMs();
    const notifyEnd = context.notifyAttempt({ ...request, attempt });
    try {
      const { status, result } = await send();
      notifyEnd({ status });
      return result;
    } catch (error) {
      if (!(error instanceof PaymentsError)) throw error;
      error.attempts = attempt;
      error.isLikelyOwn = isPossiblyDone && error.code === 'reference_exists';
      isPossiblyDone ||= uncertainFailures.has(error.code);
      const hasSwitchedClock =
        previousOffsetMs === undefined && switchClock(context, request, error, offsetMs);
      const delayMs = hasSwitchedClock ? 0 : retryPause(context, error, retries);
      notifyEnd({ error, willRetry: delayMs !== undefined });
      // The other clock was not the reason: what is not known to be the service's time must not end an account.
      if (previousOffsetMs !== undefined && error.status === 401) context.clock.restore(previousOffsetMs);
      if (delayMs === undefined) throw error;
      if (hasSwitchedClock) {
        previousOffsetMs = offsetMs;
      } else {
        retries++;
        await pause(context, delayMs, signal, error);
      }
    }
  }
}

/** As `retryDelayMs`; `undefined` too where the caller does not want the call sent again. */
function retryPause(
  { retry, random, shouldRetry = () => true }: CallContext & Pick<CallOptions, 'shouldRetry'>,
  error: PaymentsError,
  retries: number,
): number | undefined {
  const delayMs = retryDelayMs(error, retries, retry, random);
  return delayMs === undefined || shouldRetry(error) ? delayMs : undefined;
}

/** Failures after which nobody knows whether the service did the work. */
const uncertainFailures: ReadonlySet<PaymentsErrorCode> = new Set([
  'connection_lost',
  'timeout',
  'service_error',
]);

/**
 * Whether a refused signature is worth one more attempt with another clock, which is in force then: the one that the answer has
 * just told, or, where the service does not take the time that it told before, the local one.
 */
function switchClock(
  { clock, dialect }: CallContext,
  { auth }: PreparedRequest,
  { status }: PaymentsError,
  previousOffsetMs: number,
): boolean {
  if (status !== 401 || auth !== 'signature') return false;
  const thresholdMs = dialect.clockSkewThresholdSeconds * 1000;
  if (Math.abs(clock.offsetMs() - previousOffsetMs) > thresholdMs) return true;
  if (Math.abs(previousOffsetMs) <= thresholdMs) return false;
  clock.restore(0);
  return true;
}

async function pause(
  { wait }: CallContext,
  ms: number,
  signal: AbortSignal | undefined,
  { operation = '', attempts }: PaymentsError,
): Promise<void> {
  try {
    await wait(ms, signal);
  } catch (cause) {
    if (signal?.aborted) throw abortedError(operation, cause, attempts);
    const message = `${operation} was not sent again, because the option wait failed; it may fail only for its signal.`;
    throw new PaymentsError('invalid_options', message, { operation, attempts, cause });
  }
}
