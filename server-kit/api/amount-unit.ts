import type { Dialect } from '../dialect.ts';

/** Both currencies of the service have two decimals. */
const decimals = 2;

/** An integer in minor units as the number that the service expects on the wire. */
export function toWireAmount(minor: number, unit: Dialect['amountUnit']): number {
  if (unit === 'minor') return minor;
  const digits = String(Math.abs(minor)).padStart(decimals + 1, '0');
  return Number(`${minor < 0 ? '-' : ''}${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`);
}

/**
 * A number from the wire as an integer in minor units. Works on the decimal text, so that no binary rounding can
 * turn 0.29 into 28 kobo.
 *
 * @throws {RangeError} for a number that is no whole count of minor units.
 */
export function fromWireAmount(wire: number, unit: Dialect['amountUnit']): number {
  const minor = unit === 'minor' ? wire : Number(shiftPoint(String(wire)));
  if (!Number.isSafeInteger(minor)) throw new RangeError(`${wire} is not a whole number of minor units.`);
  return minor;
}

/** Moves the decimal point two places to the right; gives NaN's text for exponents and further decimals. */
function shiftPoint(text: string): string {
  const match = /^(-?\d+)(?:\.(\d{1,2}))?$/.exec(text);
  return match === null ? 'NaN' : `${match[1]}${(match[2] ?? '').padEnd(decimals, '0')}`;
}

/**
 * A copy of `record` in which every named field that holds a number went through `convert`. `a.b` names a nested field;
 * `a?` one that is left out when `convert` refuses it.
 *
 * @throws {RangeError} naming the field
 */
export function convertAmounts<T>(
  record: T,
  fields: readonly string[],
  convert: (amount: number) => number,
): T {
  if (fields.length === 0 || typeof record !== 'object' || record === null) return record;
  const copy = { ...record } as Record<string, unknown>;
  for (const field of fields) {
    const [head = '', ...rest] = field.replace('?', '').split('.');
    const value = copy[head];
    if (rest.length > 0) copy[head] = convertAmounts(value, [rest.join('.')], convert);
    else if (typeof value === 'number') copy[head] = convertField(field, value, convert);
  }
  return copy as T;
}

function convertField(field: string, value: number, convert: (amount: number) => number): number | undefined {
  try {
    return convert(value);
  } catch (cause) {
    if (field.endsWith('?')) return undefined;
    throw new RangeError(`${field}: ${(cause as Error).message}`, { cause });
  }
}
