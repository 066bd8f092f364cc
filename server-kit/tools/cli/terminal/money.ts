/** Formats minor units: `1250000` kobo is `NGN 12,500.00`. Other values are shown unchanged. */
export function formatMoney(value: number, currency: string): string {
  if (!Number.isSafeInteger(value) || value < 0 || !/^[A-Z]{3}$/.test(currency)) {
    return `${value} ${currency} (minor units)`;
  }
  const format = new Intl.NumberFormat('en', { style: 'currency', currency, currencyDisplay: 'code' });
  const { maximumFractionDigits: digits = 2 } = format.resolvedOptions();
  const text = String(value).padStart(digits + 1, '0');
  const decimal = digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`;
  // A decimal string, because dividing by 100 would be floating-point arithmetic on money.
  return format.format(decimal as Intl.StringNumericLiteral).replace('\u00a0', ' ');
}
