function formatterOf(currency: string): { format: Intl.NumberFormat; digits: number } {
  // As in the checkout: naira by its sign.
  const currencyDisplay = currency === 'NGN' ? 'narrowSymbol' : 'code';
  const format = new Intl.NumberFormat('en-NG', { style: 'currency', currency, currencyDisplay });
  return { format, digits: format.resolvedOptions().maximumFractionDigits ?? 2 };
}

/** Formats an amount: `1250000` kobo is `₦12,500.00`. */
export function formatMoney({ value, currency }: { value: number; currency: string }): string {
  const { format, digits } = formatterOf(currency);
  const text = String(value).padStart(digits + 1, '0');
  const decimal = digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`;
  // Decimal text, because dividing by 100 would use floating point for money.
  return format.format(decimal as Intl.StringNumericLiteral);
}

export type ParsedAmount = { value: number } | { problem: string };

/** Parses a typed amount, `12500`, `12,500.5` or `12,500.50`, into minor units. The problem says what to type. */
export function parseAmount(text: string, currency: string): ParsedAmount {
  const { digits } = formatterOf(currency);
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
