import { toMajorUnits } from '../../client/platform/minor-units.ts';

/** Formats minor units: `1250000` kobo is `NGN 12,500.00`. Other values are shown unchanged. */
export function formatMoney(value: number, currency: string): string {
  if (!Number.isSafeInteger(value) || value < 0 || !/^[A-Z]{3}$/.test(currency)) {
    return `${value} ${currency} (minor units)`;
  }
  const format = new Intl.NumberFormat('en', { style: 'currency', currency, currencyDisplay: 'code' });
  const decimal = toMajorUnits({ value, currency }) as Intl.StringNumericLiteral;
  return format.format(decimal).replace('\u00a0', ' ');
}
