import { describe, expect, it } from 'vitest';
import {
  formatCountdown,
  formatDateTime,
  formatDeadline,
  formatDuration,
} from '../../src/i18n/format-time.ts';
import { loadMessages } from '../../src/i18n/languages.ts';
import { createLocalization } from '../../src/i18n/translator.ts';

const minute = 60_000;
const day = 1440 * minute;

async function translatorOf(locale: string) {
  const localization = createLocalization({});
  localization.setLanguage(locale, (await loadMessages(locale.replace(/-.*/, ''))) ?? {});
  return localization.translator.value;
}

describe('the time left', () => {
  it.each([
    ['en', 1_800_000, '30:00'],
    ['en', 1_799_001, '30:00'],
    ['en', 1_799_000, '29:59'],
    ['en', 61_000, '01:01'],
    ['en', 1, '00:01'],
    ['en', 0, '00:00'],
    ['en', 3_600_000, '1:00:00'],
    ['en', 90_061_000, '1 day 01:01:01'],
    ['en', 30 * day, '30 days 00:00:00'],
    ['en', day - 1000, '23:59:59'],
    ['fr', 30 * day - minute, '29 jours 23:59:00'],
    ['ar', 2 * day, 'يومين 00:00:00'],
    ['sw', 2 * day + minute, 'siku 2, 00:01:00'],
    ['yo', 3 * day, 'ọjọ́ 3, 00:00:00'],
  ])('is shown in minutes and seconds, after whole days: in %s, %i ms as %s', async (locale, ms, shown) => {
    expect(formatCountdown(ms, await translatorOf(locale))).toBe(shown);
  });
});

describe('a duration', () => {
  it.each([
    [40_000, 'en', '40 seconds'],
    [1, 'en', '1 second'],
    [119_001, 'en', '2 minutes'],
    [1000, 'fr', '1 seconde'],
    [2 * day - minute, 'en', '48 hours'],
    [30 * day - minute, 'en', '30 days'],
    [3 * day, 'ar', '3 أيام'],
    [1000, 'ar', 'ثانية واحدة'],
    [3 * minute, 'ar', '3 دقائق'],
    [11 * minute, 'ar', '11 دقيقة'],
    [5 * minute, 'sw', 'dakika 5'],
    [119_000, 'pt', '119 segundos'],
  ])('is written in words: %i ms in %s as %s', async (ms, locale, expected) => {
    expect(formatDuration(ms, await translatorOf(locale))).toBe(expected);
  });

  it('uses the plural form of a merchant’s language, or its only form', () => {
    const localization = createLocalization({});
    const minutes = '{count, plural, one {# minuta} few {# minuty} other {# minut}}';
    localization.setLanguage('pl', { minutes, hours: '{count, plural, other {godz. #}}' });
    const formatted = [2, 3, 5].map((count) => formatDuration(count * minute, localization.translator.value));
    expect(formatted).toEqual(['2 minuty', '3 minuty', '5 minut']);
    expect(formatDuration(120 * minute, localization.translator.value)).toBe('godz. 2');
    expect(formatDuration(1000, localization.translator.value)).toBe('1 second');
  });
});

it.each([
  ['2026-12-27T23:59:59Z', '23:59 UTC'],
  ['2026-12-28T05:34:00Z', '28 Dec 2026, 05:34 UTC'],
  ['2027-01-26T12:00:00Z', '26 Jan 2027, 12:00 UTC'],
])(
  'the time by which to pay has its date, unless the account was opened on that day: %s as %s',
  (expiresAt, text) => {
    const payment = { openedAt: '2026-12-27T12:00:00Z', expiresAt };
    expect(formatDeadline(payment, { locale: 'en', timeZone: 'UTC' })).toBe(text);
  },
);

it.each([
  ['en', '1 Mar 2026, 16:04'],
  ['en-US', 'Mar 1, 2026, 4:04 PM'],
])('a date with a time is American only where the page chooses that: %s as %s', (locale, text) => {
  const formatted = formatDateTime('2026-03-01T15:04:00Z', { locale, timeZone: 'Africa/Lagos' });
  expect(formatted.replace(/\s/g, ' ')).toContain(text);
});
