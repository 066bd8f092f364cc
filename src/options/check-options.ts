import { CheckoutError } from '../contract/errors.ts';
import { ownCopy } from '../contract/own-fields.ts';
import type { OptionTable } from './option.ts';

/**
 * Returns the options without those that are null, which is the same as leaving them out.
 *
 * @throws {CheckoutError} `invalid_options` for an unknown option or a refused value, with what to write instead
 */
export function checkOptions(given: object, table: OptionTable): object {
  const problem = findProblem(given, table);
  if (problem !== undefined) throw new CheckoutError('invalid_options', problem);
  return withoutNulls(given, table);
}

const withoutNulls = (given: object, table: OptionTable): object =>
  Object.fromEntries(
    Object.entries(given)
      .filter(([, value]) => value !== null)
      .map(([name, value]) => {
        const rows = value && table[name]?.rows;
        return [name, rows ? withoutNulls(value, rows) : value];
      }),
  );

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
