import { CheckoutError } from '../contract/errors.ts';
import { ownCopy } from '../contract/own-fields.ts';
import type { OptionTable } from './option.ts';

/**
 * Returns the options that are given, also in groups: null is the same as leaving one out.
 *
 * @throws {CheckoutError} `invalid_options` for an unknown option or a refused value, with what to write instead
 */
export function checkOptions(given: object, table: OptionTable, prefix = ''): object {
  const rows = ownCopy(table);
  const checked = Object.entries(given).map(([key, value]) => {
    const name = prefix + key;
    const row = rows[key];
    if (!row) throw refusal(`Unknown option ${name}. Use one of ${Object.keys(rows).join(', ')}.`);
    if (value === undefined || value === null) return [key, undefined];
    // An attribute that was refused when it was read is a symbol, which says what the option must be.
    const expected = typeof value === 'symbol' ? value.description : row.expected;
    if (!row.accepts(value)) throw refusal(`The option ${name} must be ${expected}.`);
    return [key, row.rows ? checkOptions(value as object, row.rows, `${name}.`) : value];
  });
  return Object.fromEntries(checked);
}

const refusal = (message: string): CheckoutError => new CheckoutError('invalid_options', message);
