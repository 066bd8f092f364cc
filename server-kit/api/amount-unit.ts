import type { Dialect } from './dialect.ts';

/** Both currencies of the service have two decimals. */
const decimals = 2;

/**
 * An integer in minor units as the number that the service expects on the wire.
 *
 * @throws {RangeError} for an amount of more digits than a number can carry in this unit.
 */
export function toWireAmount(minor: number, unit: Dialect['amountUnit']): number {
  if (unit === 'minor') return minor;
  const digits = String(Math.abs(minor)).padStart(decimals + 1, '0');
  const wire = Number(`${minor < 0 ? '-' : ''}${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`);
  if (Number(shiftPoint(String(wire))) === minor) return wire;
  throw new RangeError(`${minor} is too large to be sent in major units.`);
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
 * A copy of `record` in which every named field that holds a number went through `convert`. `a.b` names a nested field, in
 * each item where `a` is an array; `a?` one that is `undefined` when `convert` refuses it.
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
