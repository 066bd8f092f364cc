import { isCheckoutError } from '../../../src/contract/index.ts';
import { escapeControls, PaymentsError } from '../../core/errors.ts';
import { describeFetchFailure, errorText, escapeTexts, maxCauses, stackOf } from './error-text.ts';

/** Whether code and message say everything: these errors are created here, so that a stack adds nothing. */
const saysEverything = (error: unknown): error is Error & { code: string } =>
  error instanceof PaymentsError || (isCheckoutError(error) && error.code !== 'internal_error');

/**
 * Returns what a person needs of an error: one line with the causes for an error of this package, and the text with its stack
 * for any other.
 */
export const describeError = (error: unknown): unknown =>
  saysEverything(error) ? escapeControls(lineOf(error)) : errorText(error);

function lineOf({ code, message, cause }: Error & { code: string }): string {
  const line = `${code}: ${message}`;
  if (cause === undefined) return line;
  return `${line} Cause: ${saysEverything(cause) ? lineOf(cause) : describeFetchFailure(cause)}`;
}

/**
 * Returns an error as a value for `JSON.stringify`, which drops the message of an Error: `name`, `code`, `message`, `stack` and
 * `cause`, with control characters escaped. Other fields are left out: a database puts rows there.
 */
export function errorToJson(error: unknown, causes = maxCauses): unknown {
  if (!(error instanceof Error)) return escapeTexts(error);
  const { name, message, cause } = error;
  const { code } = error as { code?: unknown };
  return {
    name: escapeTexts(name),
    ...(code !== undefined && { code: escapeTexts(code) }),
    message: escapeTexts(message),
    ...(!saysEverything(error) && { stack: stackOf(error) }),
    ...(cause !== undefined && causes > 0 && { cause: errorToJson(cause, causes - 1) }),
  };
}
