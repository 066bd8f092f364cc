import { isCheckoutError } from '../../src/contract/index.ts';
import { PaymentsError } from '../errors/payments-error.ts';
import { describeFetchFailure } from '../http/fetch-result.ts';

/** Longer chains of causes are cut. */
const maxCauses = 5;

/** Whether code and message say everything: these errors are created here, so that a stack adds nothing. */
const saysEverything = (error: unknown): error is Error & { code: string } =>
  error instanceof PaymentsError || (isCheckoutError(error) && error.code !== 'internal_error');

/**
 * Returns what a person needs of an error: one line with the causes for an error of this package, and the error itself, with
 * its stack, for any other.
 */
export function describeError(error: unknown): unknown {
  if (!saysEverything(error)) return error;
  const { code, message, cause } = error;
  const line = `${code}: ${message}`;
  if (cause === undefined) return line;
  return `${line} Cause: ${saysEverything(cause) ? describeError(cause) : describeFetchFailure(cause)}`;
}

/**
 * Returns an error as a value for `JSON.stringify`, which drops the message of an Error: `name`, `code`, `message`, `stack` and
 * `cause`. Other fields are left out: a database puts rows there.
 */
export function errorToJson(error: unknown, causes = maxCauses): unknown {
  if (!(error instanceof Error)) return error;
  const { name, message, stack, cause } = error;
  const { code } = error as { code?: unknown };
  return {
    name,
    ...(code !== undefined && { code }),
    message,
    ...(!saysEverything(error) && { stack }),
    ...(cause !== undefined && causes > 0 && { cause: errorToJson(cause, causes - 1) }),
  };
}
