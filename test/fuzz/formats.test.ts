import fc from 'fast-check';
import { describe, expect } from 'vitest';
import { type Money, toMajorUnits } from '../../src/contract/index.ts';
import { loadLanguage } from '../../src/i18n/choose-language.ts';
import { formatMoney, intlLocales } from '../../src/i18n/format-money.ts';
import { formatCountdown, formatDateTime, formatDeadline } from '../../src/i18n/format-time.ts';
import { languages } from '../../src/i18n/languages.ts';
import { createLocalization, type Translator } from '../../src/i18n/translator.ts';
import { roundTimeLeft } from '../../src/widget/model/time-left.ts';
import { fuzz } from './fuzz.ts';

const tags = ['en', ...Object.keys(languages)];
const translators = new Map<string, Translator>();
for (const tag of tags) {
  const localization = createLocalization({} as Parameters<typeof createLocalization>[0]);
  localization.setLanguage(tag, (await loadLanguage({ locale: tag }, [])).messages);
  translators.set(tag, localization.translator.value);
}
const translatorOf = (tag: string): Translator => translators.get(tag) as Translator;

/** Those of Intl, and codes that no country has: the contract accepts any three capitals. */
const currency = fc.oneof(
  fc.constantFrom('NGN', 'USD', 'GHS', 'KES', 'JPY', 'KWD', 'CLF', 'XAF', 'EGP'),
  fc.string({ unit: fc.constantFrom(...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'), minLength: 3, maxLength: 3 }),
);
const money = fc.record({ value: fc.oneof(fc.maxSafeNat(), fc.nat(100_000)), currency });
const locale = fc.constantFrom(...tags, 'en-US', 'en-NG', 'ar-EG', 'de');
const latin = (text: string): string =>
  text.replace(/[٠-٩]/g, (digit) => String(digit.charCodeAt(0) - 0x660)).replace(/\D/g, '');

/** The currency's name beside this amount. It may have digits, such as the years in which it was used. */
function nameOf({ value, currency }: Money, tag: string): string {
  const options = { style: 'currency', currency, currencyDisplay: 'name' } as const;
  const format = new Intl.NumberFormat(intlLocales(tag), options);
  const { maximumFractionDigits: digits = 0 } = format.resolvedOptions();
  const parts = format.formatToParts(BigInt(value) / 10n ** BigInt(digits));
  return parts.find(({ type }) => type === 'currency')?.value ?? '';
}

describe('money', () => {
  const display = fc.constantFrom('symbol', 'code', 'name', undefined);

  fuzz(
    'has each digit of the amount, in every language and currency',
    fc.tuple(money, locale, display),
    ([amount, tag, currencyDisplay]) => {
      const shown = formatMoney(amount, { locale: tag, currencyDisplay });
      expect(BigInt(latin(shown.replace(nameOf(amount, tag), '')))).toBe(BigInt(amount.value));
      expect(shown).not.toMatch(/NaN|undefined|∞/);
      const plain = toMajorUnits(amount);
      expect(plain).toMatch(/^\d+(\.\d+)?$/);
      expect(BigInt(plain.replace('.', ''))).toBe(BigInt(amount.value));
    },
  );
});

describe('times, in every language', () => {
  const ms = fc.oneof(fc.nat(), fc.nat(10_000_000), fc.double({ min: 0.001, max: 1e12, noNaN: true }));
  const iso = fc
    .date({ min: new Date('1971-01-01'), max: new Date('9999-01-01'), noInvalidDate: true })
    .map((date) => date.toISOString());
  const reader = fc.record({
    locale: fc.constantFrom(...tags),
    timeZone: fc.constantFrom(undefined, 'Africa/Lagos', 'Asia/Kathmandu', 'UTC'),
  });

  fuzz('are dates, in every time zone', fc.tuple(iso, iso, reader), ([openedAt, expiresAt, options]) => {
    for (const text of [
      formatDateTime(expiresAt, options),
      formatDeadline({ openedAt, expiresAt }, options),
    ]) {
      expect(text).not.toMatch(/invalid|NaN|undefined/i);
      expect(text).toMatch(/\p{Nd}/u);
    }
  });

  fuzz('left are counted down without a jump', fc.tuple(ms, locale), ([left, tag]) => {
    const shown = formatCountdown(left, { ...translatorOf('en'), locale: tag });
    const [days = 0, clock = ''] = shown.includes('day') ? shown.split(/ days? /) : [0, shown];
    const parts = clock.split(':').map((part) => Number(latin(part)));
    const seconds = parts.reduce((sum, part) => sum * 60 + part, 0);
    expect(seconds).toBeLessThan(86_400);
    expect(Number(latin(`${days}`)) * 86_400 + seconds).toBe(Math.ceil(left / 1000));
    expect(roundTimeLeft(left)).toBeGreaterThanOrEqual(left);
  });
});
