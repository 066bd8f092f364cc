import * as v from 'valibot';
import { convertAmounts, fromWireAmount, toWireAmount } from './api/amount-unit.ts';
import {
  type Endpoint,
  endpoints,
  type Operation,
  type RequestOf,
  type ResponseOf,
} from './api/endpoints.ts';
import { type AttemptContext, attempt } from './attempt.ts';
import { InvalidRequestError, PaymentsError } from './errors.ts';
import { describeIssues } from './issues.ts';
import { type RetryPolicy, retryDelayMs } from './retry.ts';

/** What one call may change. */
export type CallOptions = {
  /** Ends the call, its retries and its pauses. */
  signal?: AbortSignal | undefined;
  /** For each attempt, the answer's body included. */
  timeoutMs?: number;
  maxRetries?: number;
};

export type CallContext = AttemptContext & { timeoutMs: number; retry: RetryPolicy; random: () => number };

export type CallInput<Op extends Operation> = {
  path?: Readonly<Record<string, string>>;
  body?: RequestOf<Op>;
};

/**
 * Calls one endpoint: checks the request, sends it until it succeeds or cannot, and parses the answer.
 *
 * A GET may be repeated. A POST is repeated only when its body carries a `reference`: the service refuses the
 * second of two equal ones, so that a repeated request cannot make a second payment.
 *
 * @throws {PaymentsError}
 */
export type Call = <Op extends Operation>(
  op: Op,
  input: CallInput<Op>,
  options?: CallOptions,
) => Promise<ResponseOf<Op>>;

export function createCall(context: CallContext): Call {
  return async (operation, input, options = {}) => {
    const endpoint: Endpoint = endpoints[operation];
    const body = checkedBody(operation, endpoint, input.body, context);
    const hasReference = typeof (body as { reference?: unknown } | undefined)?.reference === 'string';
    const answer = await withRetries(context, options, endpoint.method === 'GET' || hasReference, () =>
      attempt(context, {
        operation,
        method: endpoint.method,
        path: fillPath(operation, endpoint.path, input.path ?? {}),
        body,
        hasReference,
        timeoutMs: options.timeoutMs ?? context.timeoutMs,
        signal: options.signal,
      }),
    );
    return parseAnswer(operation, endpoint, answer, context) as ResponseOf<typeof operation>;
  };
}

async function withRetries<T>(
  context: CallContext,
  { signal, maxRetries = context.retry.maxRetries }: CallOptions,
  repeatable: boolean,
  send: () => Promise<T>,
): Promise<T> {
  const policy = { ...context.retry, maxRetries: repeatable ? maxRetries : 0 };
  let clockCorrected = false;
  for (let attempts = 1, retries = 0; ; attempts++) {
    const offsetMs = context.clock.offsetMs();
    try {
      return await send();
    } catch (error) {
      if (!(error instanceof PaymentsError)) throw error;
      error.attempts = attempts;
      const learnedMs = Math.abs(context.clock.offsetMs() - offsetMs);
      if (
        error.status === 401 &&
        !clockCorrected &&
        learnedMs > context.dialect.clockSkewThresholdSeconds * 1000
      ) {
        clockCorrected = true;
        continue;
      }
      const delayMs = retryDelayMs(error, retries, policy, context.random);
      if (delayMs === undefined) throw error;
      retries++;
      await pause(context, delayMs, signal, error);
    }
  }
}

async function pause(
  { wait }: CallContext,
  ms: number,
  signal: AbortSignal | undefined,
  last: PaymentsError,
): Promise<void> {
  try {
    await wait(ms, signal);
  } catch (cause) {
    const { operation = '', attempts } = last;
    throw new PaymentsError('aborted', `${operation} was aborted by its caller.`, {
      operation,
      attempts,
      cause,
    });
  }
}

function fillPath(operation: Operation, template: string, values: Readonly<Record<string, string>>): string {
  return template.replace(/\{(\w+)\}/g, (_placeholder, name: string) => {
    const value = values[name];
    // A URL parser would take "." and ".." for steps in the path, and sign another one than it sends.
    if (typeof value !== 'string' || value === '' || value === '.' || value === '..') {
      throw new InvalidRequestError('invalid_request', `${operation} needs a ${name}.`, {
        operation,
        params: [name],
      });
    }
    try {
      return encodeURIComponent(value);
    } catch (cause) {
      throw new InvalidRequestError('invalid_request', `${operation}: the ${name} is not well-formed text.`, {
        operation,
        params: [name],
        cause,
      });
    }
  });
}

function checkedBody(operation: Operation, endpoint: Endpoint, body: unknown, context: CallContext): unknown {
  if (endpoint.request === undefined) return undefined;
  const result = v.safeParse(endpoint.request, body);
  if (!result.success) {
    const { params, text } = describeIssues(result.issues, 'body');
    throw new InvalidRequestError('invalid_request', `${operation} was not sent: ${text}.`, {
      operation,
      params,
    });
  }
  return convertAmounts(result.output, endpoint.amounts.request, (amount) =>
    toWireAmount(amount, context.dialect.amountUnit),
  );
}

function parseAnswer(
  operation: Operation,
  endpoint: Endpoint,
  answer: unknown,
  context: CallContext,
): unknown {
  const result = v.safeParse(endpoint.response, answer);
  if (!result.success) {
    const { params, text } = describeIssues(result.issues, 'body');
    throw new PaymentsError(
      'invalid_response',
      `The answer of ${operation} is not what the interface says: ${text}.`,
      {
        operation,
        params,
      },
    );
  }
  try {
    return convertAmounts(result.output, endpoint.amounts.response, (amount) =>
      fromWireAmount(amount, context.dialect.amountUnit),
    );
  } catch (cause) {
    const message = `The answer of ${operation} has an amount that does not fit the unit "${context.dialect.amountUnit}" (${(cause as Error).message}); check dialect.amountUnit.`;
    throw new PaymentsError('invalid_response', message, { operation, cause });
  }
}
