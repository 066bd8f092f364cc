import { decimalsOf, toMajorUnits } from '../../../../service/minor-units.ts';

/** Formats an amount as the checkout does, with naira by its sign: `1250000` kobo is `₦12,500.00`. */
export function formatMoney(amount: { value: number; currency: string }): string {
  const { currency } = amount;
  const currencyDisplay = currency === 'NGN' ? 'narrowSymbol' : 'code';
  const format = new Intl.NumberFormat('en-NG', { style: 'currency', currency, currencyDisplay });
  return format.format(toMajorUnits(amount) as Intl.StringNumericLiteral);
}

type ParsedAmount = { value: number } | { problem: string };

/** Parses a typed amount, `12500`, `12,500.5` or `12,500.50`, into minor units. The problem says what to type. */
export function parseAmount(text: string, currency: string): ParsedAmount {
  const digits = decimalsOf(currency);
  const match = /^(\d{1,3}(?:,\d{3})+|\d+)(?:\.(\d+))?$/.exec(text.trim());
  if (match === null) return { problem: 'Type an amount such as 12,500.00, without the currency.' };
  const [, whole = '', fraction = ''] = match;
  if (fraction.length > digits) {
    return { problem: `Type at most ${digits} digits after the point: ${currency} has no smaller units.` };
  }
  const value = Number(whole.replaceAll(',', '') + fraction.padEnd(digits, '0'));
  if (value === 0) return { problem: 'Type an amount above 0.' };
  if (!Number.isSafeInteger(value)) return { problem: 'Type a smaller amount; no account holds that much.' };
  return { value };
}
