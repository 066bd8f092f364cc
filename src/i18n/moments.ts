import { intlLocales, pad, type Speech } from './text.ts';

/** `09:05`, from an hour on `1:09:05`; a second that has begun counts as whole. */
export function formatCountdown(remainingMs: number, locale = 'en'): string {
  const seconds = Math.ceil(remainingMs / 1000);
  const hours = Math.floor(seconds / 3600);
  const parts = [Math.floor(seconds / 60) % 60, seconds % 60].map((part) => pad(part, 2, locale));
  return [...(hours > 0 ? [pad(hours, 1, locale)] : []), ...parts].join(':');
}

/** A zone that stands for the reader's own is named with its times. */
const inZone = (timeZone: string | undefined): Intl.DateTimeFormatOptions =>
  timeZone ? { timeZone, timeZoneName: 'short' } : {};

/**
 * In which language dates are written. English alone would be American: a month before its day. It is the reader's own
 * English, or else one that begins with the day.
 */
const dateLocales = ({ locale, preferred = [] }: DateSpeech): string[] =>
  locale === 'en' ? [...preferred.filter((tag) => /^en-/i.test(tag)), 'en-GB'] : intlLocales(locale);

type DateSpeech = Pick<Speech, 'locale' | 'preferred' | 'timeZone'>;

/** A time of the day: `15:04`. */
export function formatTime(iso: string, speech: DateSpeech): string {
  return new Date(iso).toLocaleTimeString(dateLocales(speech), {
    hour: '2-digit',
    minute: '2-digit',
    ...inZone(speech.timeZone),
  });
}

/** A moment in the reader's own time zone, or in the one that is given: `21 Nov 2026, 15:04`. */
export function formatMoment(iso: string, speech: DateSpeech): string {
  // Not by `dateStyle`, which gives Yoruba numbers without zeros: `21 11 2026, 15:4`.
  return new Date(iso).toLocaleString(dateLocales(speech), {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    ...inZone(speech.timeZone),
  });
}

/**
 * `40 seconds`, `12 minutes`, from two hours on `3 hours`; what has begun counts as whole. In our own words: browsers
 * know those of Nigeria's languages hardly or not at all.
 */
export function formatDuration(ms: number, { text, locale }: Speech): string {
  const seconds = Math.ceil(ms / 1000);
  if (seconds < 120) return inPlural(text('seconds'), seconds, locale);
  if (seconds < 7200) return inPlural(text('minutes'), Math.ceil(seconds / 60), locale);
  return inPlural(text('hours'), Math.ceil(seconds / 3600), locale);
}

/** Of `{count, plural, one {# minute} other {# minutes}}` the form that the language has for `count`. */
function inPlural(message: string, count: number, locale: string): string {
  const forms = new Map([...message.matchAll(/(\w+) \{([^{}]*)}/g)].map(([, name, form]) => [name, form]));
  const form = forms.get(new Intl.PluralRules(intlLocales(locale)).select(count)) ?? forms.get('other');
  return (form ?? '#').replace('#', pad(count, 1, locale));
}

const minuteMs = 60_000;

/**
 * The time left, in the steps in which it is spoken: of three minutes, in the last five of one minute, in the last two of
 * thirty seconds. Milliseconds, rounded up.
 */
export function spokenStep(remainingMs: number): number {
  const stepMs =
    remainingMs > 5 * minuteMs ? 3 * minuteMs : remainingMs > 2 * minuteMs ? minuteMs : minuteMs / 2;
  return Math.ceil(remainingMs / stepMs) * stepMs;
}
