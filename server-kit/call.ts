import type { Operation, ResponseOf } from './api/endpoints.ts';
import { type CallOptions, checkCallOptions } from './call-options.ts';
import { abortedError, PaymentsError, type PaymentsErrorCode } from './errors.ts';
import type { AnnounceAttempt } from './hooks.ts';
import { parseAnswer } from './parse-answer.ts';
import { type CallInput, type PreparedRequest, prepareRequest } from './prepare-request.ts';
import { type RetryPolicy, retryDelayMs } from './retry.ts';
import { type SendContext, sendOnce } from './send-once.ts';

export type CallContext = SendContext & {
  timeoutMs: number;
  retry: RetryPolicy;
  random: () => number;
  announce: AnnounceAttempt;
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
      mayRetry,
    } = options;
    const request = prepareRequest(operation, input, context.dialect);
    refuseWithoutToken(request, context);
    const isRepeatable = request.method !== 'POST' || request.hasReference;
    const retry = { ...context.retry, maxRetries: isRepeatable ? maxRetries : 0 };
    return withRetries({ ...context, retry, mayRetry }, request, signal, async () => {
      const answer = await sendOnce(context, request, { timeoutMs, signal });
      return { status: answer.status, result: parseAnswer(operation, answer, context.dialect) };
    });
  };
}

function refuseWithoutToken({ operation, auth }: PreparedRequest, { authToken }: CallContext): void {
  if (auth !== 'bearer' || authToken !== undefined) return;
  const message = `${operation} needs the auth token of your account; pass it to createPaymentsClient as authToken.`;
  throw new PaymentsError('invalid_options', message, { operation });
}

async function withRetries<Result>(
  context: CallContext & Pick<CallOptions, 'mayRetry'>,
  request: PreparedRequest,
  signal: AbortSignal | undefined,
  send: () => Promise<{ status: number; result: Result }>,
): Promise<Result> {
  let clockCorrected = false;
  let mayBeDone = false;
  for (let attempt = 1, retries = 0; ; attempt++) {
    if (signal?.aborted) throw abortedError(request.operation, signal.reason, attempt - 1);
    const offsetMs = context.clock.offsetMs();
    const announceEnd = context.announce({ ...request, attempt });
    try {
      const { status, result } = await send();
      announceEnd({ status });
      return result;
    } catch (error) {
      if (!(error instanceof PaymentsError)) throw error;
      error.attempts = attempt;
      error.mayBeOwn = mayBeDone && error.code === 'reference_exists';
      mayBeDone ||= leavesOpen.has(error.code);
      const isSkewed = !clockCorrected && isClockSkew(context, error, offsetMs);
      const delayMs = isSkewed ? 0 : pauseBefore(context, error, retries);
      announceEnd({ error, willRetry: delayMs !== undefined });
      if (delayMs === undefined) throw error;
      if (isSkewed) {
        clockCorrected = true;
      } else {
        retries++;
        await pause(context, delayMs, signal, error);
      }
    }
  }
}

/** As `retryDelayMs`; `undefined` too where the caller does not want the call sent again. */
function pauseBefore(
  { retry, random, mayRetry = () => true }: CallContext & Pick<CallOptions, 'mayRetry'>,
  error: PaymentsError,
  retries: number,
): number | undefined {
  const delayMs = retryDelayMs(error, retries, retry, random);
  return delayMs === undefined || mayRetry(error) ? delayMs : undefined;
}

/** Failures after which nobody knows whether the service did the work. */
const leavesOpen: ReadonlySet<PaymentsErrorCode> = new Set(['connection_lost', 'timeout', 'service_error']);

/** Whether a signature was refused, and the answer has shown that the clock it was made with is wrong. */
function isClockSkew(
  { clock, dialect }: CallContext,
  { status }: PaymentsError,
  offsetMsBefore: number,
): boolean {
  const learnedMs = Math.abs(clock.offsetMs() - offsetMsBefore);
  return status === 401 && learnedMs > dialect.clockSkewThresholdSeconds * 1000;
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
