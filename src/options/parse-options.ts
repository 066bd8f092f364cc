import * as v from 'valibot';
import { CheckoutError } from '../contract/errors.ts';

/**
 * Validates options. Reads nothing of the page.
 *
 * @throws {CheckoutError} `invalid_options`, with what to write instead
 */
export function parseOptions<Values>(schema: v.GenericSchema<Values>, given: unknown): Values {
  const { success, output, issues } = v.safeParse(schema, given, { abortEarly: true });
  if (success) return output;
  throw new CheckoutError('invalid_options', problemOf(issues[0]));
}

function problemOf({ path, expected, input, message }: v.BaseIssue<unknown>): string {
  const name = path?.map(({ key }) => key).join('.');
  if (expected === 'never') return `Unknown option ${name}. ${message}`;
  // An attribute that was refused when it was read is a symbol, which says what the option must be.
  const must = typeof input === 'symbol' ? input.description : message;
  return `The ${name === undefined ? 'options' : `option ${name}`} must be ${must}.`;
}
