import type { PaymentView } from '../contract/index.ts';
import { intlLocales, padNumber } from './format-money.ts';
import type { Translator } from './translator.ts';

type DateOptions = Pick<Translator, 'locale' | 'preferredLanguages' | 'timeZone'>;
type Deadline = Pick<PaymentView, 'openedAt' | 'expiresAt'>;

/** Formats the time left: `09:05`, and `1:09:05` from one hour on. A second that has begun counts as whole. */
export function formatCountdown(remainingMs: number, locale: string): string {
  const seconds = Math.ceil(remainingMs / 1000);
  const hours = Math.floor(seconds / 3600);
  const parts = [Math.floor(seconds / 60) % 60, seconds % 60].map((part) => padNumber(part, 2, locale));
  return [...(hours > 0 ? [padNumber(hours, 1, locale)] : []), ...parts].join(':');
}

/** Formats the time of day: `15:04`. */
export function formatTime(iso: string, options: DateOptions): string {
  const locales = dateLocales(options);
  return new Date(iso).toLocaleTimeString(locales, { ...clockFormat(locales), ...zoneFormat(options) });
}

const dayMs = 86_400_000;

/** Formats the time by which to pay: a time of day, with its date where the account is open for a day or longer. */
export function formatDeadline({ openedAt, expiresAt }: Deadline, options: DateOptions): string {
  const isLong = Date.parse(expiresAt) - Date.parse(openedAt) >= dayMs;
  return (isLong ? formatDateTime : formatTime)(expiresAt, options);
}

/** Formats a date with its time: `21 Nov 2026, 15:04`. */
export function formatDateTime(iso: string, options: DateOptions): string {
  // `dateStyle` would write Yoruba dates in numbers without leading zeros: `21 11 2026, 15:4`.
  const locales = dateLocales(options);
  return new Date(iso).toLocaleString(locales, {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    ...clockFormat(locales),
    ...zoneFormat(options),
  });
}

/** `09:05`, but `9:05 AM` where a day has twice twelve hours. */
const clockFormat = (locales: string[]): Intl.DateTimeFormatOptions => {
  const { hour12 } = new Intl.DateTimeFormat(locales, { hour: 'numeric' }).resolvedOptions();
  return { hour: hour12 ? 'numeric' : '2-digit', minute: '2-digit' };
};

/** The English of a region. A page's `lang` may be any text, and `Intl` throws for one that is no language tag. */
const regionalEnglish = /^en(-[a-z]{4})?-([a-z]{2}|\d{3})$/i;

/** Plain `en` would be American, month before day: prefers the reader's own English, then British English. */
const dateLocales = ({ locale, preferredLanguages = [] }: DateOptions): string[] =>
  locale === 'en'
    ? [...preferredLanguages.filter((tag) => regionalEnglish.test(tag)), 'en-GB']
    : intlLocales(locale);

const zoneFormat = ({ timeZone }: DateOptions): Intl.DateTimeFormatOptions =>
  timeZone ? { timeZone, timeZoneName: 'short' } : {};

/**
 * Formats a duration, rounded up: `40 seconds`, `12 minutes`, `3 hours` (from two hours on). Uses our own messages, because browsers
 * barely support Nigerian languages.
 */
export function formatDuration(ms: number, { text, locale }: Translator): string {
  const seconds = Math.ceil(ms / 1000);
  if (seconds < 120) return formatPlural(text('seconds'), seconds, locale);
  if (seconds < 7200) return formatPlural(text('minutes'), Math.ceil(seconds / 60), locale);
  return formatPlural(text('hours'), Math.ceil(seconds / 3600), locale);
}

/** Selects the plural form for `count` from a message such as `{count, plural, one {# minute} other {# minutes}}`. */
function formatPlural(message: string, count: number, locale: string): string {
  const forms = new Map([...message.matchAll(/(\w+) \{([^{}]*)}/g)].map(([, name, form]) => [name, form]));
  const form = forms.get(new Intl.PluralRules(intlLocales(locale)).select(count)) ?? forms.get('other');
  return (form ?? '#').replace('#', padNumber(count, 1, locale));
}
