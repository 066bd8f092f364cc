import type { Money } from '../../src/contract/index.ts';

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

/**
 * Converts an amount in minor units to a decimal text in major units: 1250000 of NGN is `'12500.00'`, 500 of JPY is `'500'`.
 *
 * @throws {RangeError} for a currency that is not a code
 */
export function toMajorUnits({ value, currency }: Money): string {
  const digits = decimalsOf(currency);
  const text = String(value).padStart(digits + 1, '0');
  return digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`;
}

/** Returns how many decimals amounts of a currency have, as the widget writes them: 2 for NGN, none for JPY, 3 for KWD. */
export const decimalsOf = (currency: string): number =>
  new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2;
