import * as v from 'valibot';
import { describeIssues } from '../../errors/describe-issues.ts';
import { PaymentsError } from '../../errors/payments-error.ts';

export const Milliseconds = v.pipe(
  v.number(),
  v.safeInteger('must be whole milliseconds'),
  v.minValue(1, 'must be at least 1'),
  v.maxValue(600_000, 'must be at most 600000'),
);

export const RetryCount = v.pipe(
  v.number(),
  v.safeInteger('must be a whole number'),
  v.minValue(0, 'must be at least 0'),
  v.maxValue(20, 'must be at most 20'),
);

/** What one call may change. */
export const CallOptions = v.strictObject({
  /** Ends the call, its retries and its pauses; of a list, also the loop over it. */
  signal: v.optional(v.instance(AbortSignal, 'must be an AbortSignal')),
  /** For each attempt, the answer's body included; of a list, for each page. Default: the client's. */
  timeoutMs: v.optional(Milliseconds),
  /** How often the call may be sent again. Default: the client's `retry.maxRetries`. */
  maxRetries: v.optional(RetryCount),
  /** Called where the call would be sent again after this failure; with false, the failure is thrown instead. */
  shouldRetry: v.optional(
    v.custom<(error: PaymentsError) => boolean>((value) => typeof value === 'function', 'must be a function'),
  ),
});
export type CallOptions = v.InferInput<typeof CallOptions>;

/** @throws {PaymentsError} `invalid_options`, naming each option that is wrong or does not exist */
export function checkCallOptions(operation: string, options: CallOptions): void {
  const result = v.safeParse(CallOptions, options);
  if (result.success) return;
  const { text } = describeIssues(result.issues, 'options');
  throw new PaymentsError('invalid_options', `${operation} cannot work with these options. ${text}.`, {
    operation,
  });
}
