import { type ReadonlySignal, signal } from '@preact/signals';
import type { Money } from '../core/index.ts';
import { en } from './en.ts';
import type { Messages, OwnText, OwnTexts, Words } from './messages.ts';

/** A message by its key, with `{name}` replaced by the value of that name. Empty while there are no words yet. */
export type Text = (key: keyof Messages, values?: Record<string, string>) => string;

/** How a checkout speaks at the moment: its words, and the language tag by which `Intl` writes amounts and times. */
export type Speech = {
  readonly text: Text;
  readonly locale: string;
  /** Nothing can be said yet: its words are on their way. */
  readonly isSilent?: boolean;
  /** Of times that are written where the reader's own zone is not known; their zone is named then. */
  readonly timeZone?: string | undefined;
  /** The languages that the reader likes, best first: they say which English dates are written in. */
  readonly preferred?: readonly string[] | undefined;
};

export type Speaker = {
  readonly speech: ReadonlySignal<Speech>;
  /** Speaks another language; nothing at all as long as its words are not there. */
  readonly speak: (locale: string, words: Words | undefined) => void;
  /** Takes the merchant's own words. */
  readonly use: (own: OwnTexts | undefined) => void;
};

/** The texts of one checkout: English, or what the merchant says instead. */
export function createText(first: OwnTexts = {}): Speaker {
  let now: Vocabulary = { locale: 'en', words: en, own: first };
  const speech = signal(speechOf(now));
  const change = (changes: Partial<Vocabulary>): void => {
    now = { ...now, ...changes };
    speech.value = speechOf(now);
  };
  return {
    speech,
    speak: (locale, words) => change({ locale, words: words && { ...en, ...words } }),
    use: (own = {}) => change({ own }),
  };
}

/** All that can be said: in the language, and by the merchant. */
type Vocabulary = {
  readonly locale: string;
  readonly words: Words | undefined;
  readonly own: OwnTexts;
};

const speechOf = ({ locale, words, own }: Vocabulary): Speech => ({
  locale,
  isSilent: !words,
  text(key, values) {
    const found = words ? (inLanguage(own[key], locale) ?? words[key] ?? '') : '';
    return `${found}`.replace(/\{(\w+)}/g, (whole, name: string) => values?.[name] ?? whole);
  },
});

/** What is said in this language, or else in English. */
function inLanguage(own: OwnText | undefined, locale: string): string | undefined {
  if (typeof own !== 'object') return own;
  return own[locale] ?? own[locale.replace(/-.*/, '')] ?? own.en;
}

/** Which way a language is written. */
export function directionOf(locale: string): 'rtl' | 'ltr' {
  return /^(ar|fa|he|ur)\b/.test(locale) ? 'rtl' : 'ltr';
}

/**
 * A language for `Intl`. Chromium writes no amounts and dates in Hausa, Igbo, Yoruba and Pidgin, and would take its own
 * language for them, which may mean another thing by a comma. What Arabic's digits are depends on the browser's age
 * unless a country is named.
 */
export const intlLocales = (locale: string): string[] => [locale === 'ar' ? 'ar-u-nu-latn' : locale, 'en-GB'];

/** `NGN 12,500.00`, with a space that does not break; as the language writes amounts. */
export function formatMoney({ value, currency }: Money, locale = 'en'): string {
  const format = new Intl.NumberFormat(intlLocales(locale), {
    style: 'currency',
    currency,
    currencyDisplay: 'code',
  });
  const { maximumFractionDigits: digits = 0 } = format.resolvedOptions();
  const minor = value % 10 ** digits;
  // Whole numbers only: an amount is never divided with a remainder, so never rounded.
  return format
    .formatToParts((value - minor) / 10 ** digits)
    .map((part) => (part.type === 'fraction' ? pad(minor, digits, locale) : part.value))
    .join('');
}

/** `12500.00`: what a bank's form takes, in every language. */
export function plainAmount(amount: Money): string {
  return formatMoney(amount).replace(/[^\d.]/g, '');
}

/** A whole number with at least so many digits, in the digits of the language. */
export const pad = (number: number, digits: number, locale: string): string =>
  new Intl.NumberFormat(intlLocales(locale), { minimumIntegerDigits: digits, useGrouping: false }).format(
    number,
  );

/** `9012 345 678`: groups of two to four that can be read out and compared. What has other than digits stays as it is. */
export function groupAccountNumber(number: string): string {
  return /\D/.test(number) ? number : number.replace(/^\d{4}(?=\d\d)|\d{3}(?=\d\d)/g, '$& ');
}
