import type { Money } from '../contract/index.ts';

/** Returns the locales for `Intl`. British English is the fallback: Chromium formats nothing in Hausa, Igbo, Yoruba and Pidgin. */
export const intlLocales = (locale: string): string[] => [locale === 'ar' ? 'ar-u-nu-latn' : locale, 'en-GB'];

export const isRightToLeft = (locale: string): boolean => /^(ar|fa|he|ur)\b/.test(locale);

/** How a currency is written: by its sign, or by its code. Where a sign has several meanings, the code is used anyway. */
export type CurrencyDisplay = 'symbol' | 'code';

/** `name` writes the currency out for a screen reader: `12,500.00 naira`. */
type MoneyFormat = {
  readonly locale: string;
  readonly currencyDisplay?: CurrencyDisplay | 'name' | undefined;
};

const ambiguousSign = /^([$£¥]|kr\.?|Rs\.?|[A-Z])$/;

const numberFormats = new Map<string, Intl.NumberFormat>();

/** Creates each format once: it takes milliseconds on a slow phone. */
function numberFormat(locale: string, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const key = JSON.stringify([locale, options]);
  const format = numberFormats.get(key) ?? new Intl.NumberFormat(intlLocales(locale), options);
  numberFormats.set(key, format);
  return format;
}

export function formatMoney({ value, currency }: Money, { locale, currencyDisplay }: MoneyFormat): string {
  const format = createFormat(currency, locale, currencyDisplay ?? 'symbol');
  const { maximumFractionDigits: digits = 0 } = format.resolvedOptions();
  const minor = value % 10 ** digits;
  // Whole numbers only: an amount is never divided with a remainder, so never rounded.
  return format
    .formatToParts((value - minor) / 10 ** digits)
    .map((part) => {
      if (part.type === 'fraction') return padNumber(minor, digits, locale);
      // Nobody says "Nigerian nairas".
      if (part.type === 'currency' && part.value.startsWith('Nigerian naira')) return 'naira';
      // From right to left, the letters and the sign of `JP¥` would change places.
      const isMixed = part.type === 'currency' && isRightToLeft(locale) && /[A-Z][^A-Z]/.test(part.value);
      return isMixed ? `\u2066${part.value}\u2069` : part.value;
    })
    .join('');
}

function createFormat(
  currency: string,
  locale: string,
  display: CurrencyDisplay | 'name',
): Intl.NumberFormat {
  const create = (currencyDisplay: 'narrowSymbol' | typeof display): Intl.NumberFormat =>
    numberFormat(locale, { style: 'currency', currency, currencyDisplay });
  if (display !== 'symbol') return create(display);
  // `symbol` is `NGN` in most languages.
  if (currency === 'NGN') return create('narrowSymbol');
  const format = create('symbol');
  const sign = format.formatToParts(0).find(({ type }) => type === 'currency')?.value ?? '';
  return ambiguousSign.test(sign) ? create('code') : format;
}

export const padNumber = (number: number, minDigits: number, locale: string): string =>
  numberFormat(locale, { minimumIntegerDigits: minDigits, useGrouping: false }).format(number);

/** Groups the digits of an account number by two to four: `9012 345 678`. Returns a number with other characters unchanged. */
export function groupAccountNumber(number: string): string {
  return /\D/.test(number) ? number : number.replace(/^\d{4}(?=\d\d)|\d{3}(?=\d\d)/g, '$& ');
}
