import type { Dialect } from './dialect.ts';

/** NGN and USD both have two decimals. */
const decimals = 2;

/**
 * Converts an integer in minor units to the number that the service expects.
 *
 * @throws {RangeError} for an amount with more digits than a number can hold in this unit
 */
export function toWireAmount(minor: number, unit: Dialect['amountUnit']): number {
  if (unit === 'minor') return minor;
  const digits = String(Math.abs(minor)).padStart(decimals + 1, '0');
  const wire = Number(`${minor < 0 ? '-' : ''}${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`);
  if (Number(shiftPoint(String(wire))) === minor) return wire;
  throw new RangeError(`${minor} is too large to be sent in major units.`);
}

/**
 * Converts an amount of the service to an integer in minor units. Works on the decimal text, because 0.29 * 100 is not 29
 * in binary.
 *
 * @throws {RangeError} for a number that is not a whole number of minor units
 */
export function fromWireAmount(wire: number, unit: Dialect['amountUnit']): number {
  const minor = unit === 'minor' ? wire : Number(shiftPoint(String(wire)));
  if (!Number.isSafeInteger(minor)) throw new RangeError(`${wire} is not a whole number of minor units.`);
  return minor;
}

/** Moves the decimal point two places to the right. Returns `'NaN'` for exponents and for more than two decimals. */
function shiftPoint(text: string): string {
  const match = /^(-?\d+)(?:\.(\d{1,2}))?$/.exec(text);
  return match === null ? 'NaN' : `${match[1]}${(match[2] ?? '').padEnd(decimals, '0')}`;
}

/**
 * Returns a copy of `record` with the numbers in `fields` converted. `a.b` names a nested field, also in each item of an
 * array `a`. `a?` becomes `undefined` when `convert` throws.
 *
 * @throws {RangeError} naming the field
 */
export function convertAmounts<T>(
  record: T,
  fields: readonly string[],
  convert: (amount: number) => number,
): T {
  if (fields.length === 0 || typeof record !== 'object' || record === null) return record;
  if (Array.isArray(record)) return record.map((item) => convertAmounts(item, fields, convert)) as T;
  const copy = { ...record } as Record<string, unknown>;
  for (const field of fields) {
    const [head = '', ...rest] = field.split('.');
    const name = head.replace(/\?$/, '');
    if (!Object.hasOwn(copy, name)) continue;
    copy[name] = convertField(
      copy[name],
      { name, rest: rest.join('.'), isOptional: head.endsWith('?') },
      convert,
    );
  }
  return copy as T;
}

function convertField(
  value: unknown,
  { name, rest, isOptional }: { name: string; rest: string; isOptional: boolean },
  convert: (amount: number) => number,
): unknown {
  try {
    if (rest !== '') return convertAmounts(value, [rest], convert);
    return typeof value === 'number' ? convert(value) : value;
  } catch (cause) {
    if (isOptional) return undefined;
    const message = (cause as Error).message;
    throw new RangeError(rest === '' ? `${name}: ${message}` : `${name}.${message}`, { cause });
  }
}
