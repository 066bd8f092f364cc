import type { PaymentView } from '../contract/index.ts';
import { intlLocales, padNumber } from './format-money.ts';
import type { Translator } from './translator.ts';

type DateOptions = Pick<Translator, 'locale' | 'timeZone'>;
type Deadline = Pick<PaymentView, 'openedAt' | 'expiresAt'>;

export const dayMs = 86_400_000;
const daySeconds = dayMs / 1000;

/** Formats the time left: `09:05`, `1:09:05` from one hour on, and `2 days 01:09:05` from one day on. A second that has begun counts as whole. */
export function formatCountdown(
  remainingMs: number,
  { text, locale }: Pick<Translator, 'text' | 'locale'>,
): string {
  const seconds = Math.ceil(remainingMs / 1000);
  const days = Math.floor(seconds / daySeconds);
  const hours = Math.floor(seconds / 3600) % 24;
  const parts = [Math.floor(seconds / 60) % 60, seconds % 60].map((part) => padNumber(part, 2, locale));
  if (days > 0 || hours > 0) parts.unshift(padNumber(hours, days > 0 ? 2 : 1, locale));
  const clock = parts.join(':');
  if (days === 0) return clock;
  const wholeDays = formatPlural(text('days'), days, locale);
  // Some languages name the unit first: `siku 2, 01:09:05`.
  return `${wholeDays}${/\d$/.test(wholeDays) ? ',' : ''} ${clock}`;
}

/** Returns whether an account expires on the day on which it was opened. The zone of the page needs no format, which takes time. */
export function isSameDay({ openedAt, expiresAt }: Deadline, options: DateOptions): boolean {
  const dayOf = (iso: string): string =>
    options.timeZone ? formatDate(iso, options, dateFormat) : new Date(iso).toDateString();
  return dayOf(openedAt) === dayOf(expiresAt);
}

/** Formats the time by which to pay: a time of day, with its date unless the account was opened on that day. */
export const formatDeadline = (payment: Deadline, options: DateOptions): string =>
  isSameDay(payment, options)
    ? formatDate(payment.expiresAt, options, clockFormat(options))
    : formatDateTime(payment.expiresAt, options);

export const formatDateTime = (iso: string, options: DateOptions): string =>
  formatDate(iso, options, { ...dateFormat, ...clockFormat(options) });

/** `dateStyle` would write Yoruba dates in numbers without leading zeros: `21 11 2026, 15:4`. */
const dateFormat: Intl.DateTimeFormatOptions = { day: 'numeric', month: 'short', year: 'numeric' };

const formatDate = (iso: string, options: DateOptions, format: Intl.DateTimeFormatOptions): string =>
  new Date(iso).toLocaleString(dateLocales(options), { ...format, ...zoneFormat(options) });

/** Plain `en` would be American, month before day. */
const dateLocales = ({ locale }: DateOptions): string[] =>
  locale === 'en' ? ['en-GB'] : intlLocales(locale);

/** `09:05`, but `9:05 AM` where a day has twice twelve hours. */
const clockFormat = (options: DateOptions): Intl.DateTimeFormatOptions => {
  const { hour12 } = new Intl.DateTimeFormat(dateLocales(options), { hour: 'numeric' }).resolvedOptions();
  return { hour: hour12 ? 'numeric' : '2-digit', minute: '2-digit' };
};

const zoneFormat = ({ timeZone }: DateOptions): Intl.DateTimeFormatOptions =>
  timeZone ? { timeZone, timeZoneName: 'short' } : {};

export function formatDuration(ms: number, { text, locale }: Translator): string {
  const seconds = Math.ceil(ms / 1000);
  if (seconds < 120) return formatPlural(text('seconds'), seconds, locale);
  if (seconds < 7200) return formatPlural(text('minutes'), Math.ceil(seconds / 60), locale);
  if (seconds < 2 * daySeconds) return formatPlural(text('hours'), Math.ceil(seconds / 3600), locale);
  return formatPlural(text('days'), Math.ceil(seconds / daySeconds), locale);
}

/** Selects the plural form for `count` from a message such as `{count, plural, one {# minute} other {# minutes}}`. */
function formatPlural(message: string, count: number, locale: string): string {
  const forms = new Map([...message.matchAll(/(\w+) \{([^{}]*)}/g)].map(([, name, form]) => [name, form]));
  const form = forms.get(new Intl.PluralRules(intlLocales(locale)).select(count)) ?? forms.get('other');
  return (form ?? '#').replace('#', padNumber(count, 1, locale));
}
