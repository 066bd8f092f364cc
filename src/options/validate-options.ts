import { CheckoutError } from '../contract/errors.ts';
import { ownCopy, ownFields } from '../contract/own-fields.ts';
import { callbackNames } from './callbacks.ts';
import { anyValue, type OptionTable } from './option.ts';
import { type CheckoutOptions, type OptionName, optionNames, options } from './options.ts';

/** Validated options: all of them, as own fields. */
export type ValidOptions = { readonly [Name in OptionName]: CheckoutOptions[Name] };

const callbacks = Object.fromEntries(callbackNames.map((name) => [name, anyValue()]));

/**
 * Validates the options of a checkout. Reads nothing of the page. Null is the same as leaving an option out.
 *
 * @throws {CheckoutError} `invalid_options`, with what to write instead
 */
export function validateOptions(given: CheckoutOptions = {}): ValidOptions {
  const problem = findProblem(given, { ...options, ...callbacks });
  if (problem !== undefined) throw new CheckoutError('invalid_options', problem);
  return ownFields(
    Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null)),
    optionNames,
  ) as ValidOptions;
}

function findProblem(given: object, table: OptionTable, prefix = ''): string | undefined {
  const rows = ownCopy(table);
  for (const [key, value] of Object.entries(given)) {
    const name = prefix + key;
    const row = rows[key];
    if (!row) return `Unknown option ${name}. Use one of ${Object.keys(rows).join(', ')}.`;
    const isLeftOut = value === undefined || value === null;
    // An attribute that was refused when it was read is a symbol, which says what the option must be.
    if (!isLeftOut && !row.accepts(value))
      return `The option ${name} must be ${typeof value === 'symbol' ? value.description : row.expected}.`;
    const problem = row.rows && !isLeftOut ? findProblem(value, row.rows, `${name}.`) : undefined;
    if (problem !== undefined) return problem;
  }
  return undefined;
}
