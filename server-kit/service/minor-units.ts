import { decimalsOf } from '../../src/contract/fields.ts';

export { decimalsOf, toMajorUnits } from '../../src/contract/fields.ts';

/**
 * Converts an amount in major units, as many platforms store it, to an integer in minor units: 12500 and `'12500.00'` of NGN are
 * 1250000, 500 of JPY is 500, and `'1.234'` of KWD is 1234. Works on the decimal text, because 0.29 * 100 is not 29 in binary.
 *
 * @param amount pass decimals that were computed as text: the number 0.1 + 0.2 is refused
 * @param currency ISO 4217
 * @throws {RangeError} for a fraction of a minor unit, a negative amount, text that is not a plain decimal number, an amount above 2^53,
 *   and a currency that is not a code
 */
export function toMinorUnits(amount: number | string, currency: string): number {
  const digits = decimalsOf(currency);
  const [, whole = '', fraction = ''] = /^(\d+)(?:\.(\d+))?$/.exec(String(amount)) ?? [];
  const isExact = whole !== '' && /^0*$/.test(fraction.slice(digits));
  const minor = Number(whole + fraction.slice(0, digits).padEnd(digits, '0'));
  if (isExact && Number.isSafeInteger(minor)) return minor;
  throw new RangeError(
    `${amount} ${currency} is not an amount with at most ${digits} decimals; round it yourself first.`,
  );
}
