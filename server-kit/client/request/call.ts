import { endpoints, type Operation, type ResponseOf } from '../api/endpoints.ts';
import { abortedError, PaymentsError, type PaymentsErrorCode } from '../errors/payments-error.ts';
import { type CallOptions, checkCallOptions } from '../options/call-options.ts';
import type { NotifyAttempt } from './hooks.ts';
import { parseResponse } from './parse-response.ts';
import { type CallInput, type PreparedRequest, prepareRequest } from './prepare-request.ts';
import { type RetryPolicy, retryDelayMs } from './retry.ts';
import { type SendContext, sendOnce } from './send-once.ts';

export type CallContext = SendContext & {
  timeoutMs: number;
  retry: RetryPolicy;
  random: () => number;
  /** The mode of the keys, if given. */
  liveMode: boolean | undefined;
  notifyAttempt: NotifyAttempt;
  /** Receives the errors of list records that could not be read. */
  report: (error: unknown) => void;
};

/**
 * Calls one endpoint: validates the request, sends it with retries, and parses the response.
 *
 * A GET or a PUT is retried after a transient failure, because it is idempotent (RFC 9110, section 9.2.2); so is a POST
 * with a `reference`, because the service refuses a repeated reference. Any other POST is sent once: a repeated account
 * request could create a second account, and a repeated cancellation would be refused, which would hide that the first
 * succeeded.
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

/**
 * Returns the errors of a page's unreadable records. Only for pages: in other responses `invalid` is a field of the
 * service.
 */
const invalidRecordsOf = (operation: Operation, result: unknown): readonly PaymentsError[] =>
  'query' in endpoints[operation] ? (result as { invalid: PaymentsError[] }).invalid : [];

function requireToken({ operation, auth }: PreparedRequest, { authToken }: CallContext): void {
  if (auth !== 'bearer' || authToken !== undefined) return;
  const message = `${operation} needs the auth token of your account; pass it to createPaymentsClient as authToken.`;
  throw new PaymentsError('invalid_options', message, { operation });
}

/** Refuses records of the other mode: test money must not pay a live order, nor live money a test order. */
function requireMode({ liveMode }: CallContext, operation: Operation, result: unknown): void {
  const { data } = result as { data?: unknown };
  const records = [result, ...(Array.isArray(data) ? data : [])] as { liveMode?: unknown }[];
  const isOther = (record: { liveMode?: unknown }): boolean => record.liveMode === !liveMode;
  if (liveMode === undefined || !records.some(isOther)) return;
  const message = `${operation} returned a record in ${liveMode ? 'test' : 'live'} mode, but createPaymentsClient has liveMode: ${liveMode}; check that apiKey and apiSecret are for that mode; live mode needs an https baseUrl.`;
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
      error.isLikelyOwn = isPossiblyDone && request.hasReference;
      isPossiblyDone ||= uncertainFailures.has(error.code);
      const hasSwitchedClock =
        previousOffsetMs === undefined && switchClock(context, request, error, offsetMs);
      const delayMs = hasSwitchedClock ? 0 : retryPause(context, error, retries);
      notifyEnd({ error, willRetry: delayMs !== undefined });
      // The other clock did not help: an untrusted time must not decide whether an account has expired.
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

/** As `retryDelayMs`, and `undefined` if the caller does not want a retry. */
function retryPause(
  { retry, random, shouldRetry = () => true }: CallContext & Pick<CallOptions, 'shouldRetry'>,
  error: PaymentsError,
  retries: number,
): number | undefined {
  const delayMs = retryDelayMs(error, retries, retry, random);
  return delayMs === undefined || shouldRetry(error) ? delayMs : undefined;
}

/** Failures after which the service may or may not have done the work. */
const uncertainFailures: ReadonlySet<PaymentsErrorCode> = new Set([
  'connection_lost',
  'timeout',
  'service_error',
]);

/**
 * Whether a refused signature is worth another attempt with another clock, and sets that clock: the one from this response,
 * or, if the service refuses its own earlier time, the local one.
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
    const message = `${operation} was not retried, because the option wait failed; it may reject only when its signal aborts.`;
    throw new PaymentsError('invalid_options', message, { operation, attempts, cause });
  }
}
