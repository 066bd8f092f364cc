import { pad } from './text.ts';

/** `09:05`, from an hour on `1:09:05`; a second that has begun counts as whole. */
export function formatCountdown(remainingMs: number, locale = 'en'): string {
  const seconds = Math.ceil(remainingMs / 1000);
  const hours = Math.floor(seconds / 3600);
  const parts = [Math.floor(seconds / 60) % 60, seconds % 60].map((part) => pad(part, 2, locale));
  return [...(hours > 0 ? [pad(hours, 1, locale)] : []), ...parts].join(':');
}

/** A moment in the reader's own time zone: `21 Nov 2026, 15:04`. */
export function formatMoment(iso: string, locale: string): string {
  return new Date(iso).toLocaleString(locale, { dateStyle: 'medium', timeStyle: 'short' });
}

/** `40 seconds`, `12 minutes`, from two hours on `3 hours`; what has begun counts as whole. */
export function formatDuration(ms: number, locale: string): string {
  const seconds = Math.ceil(ms / 1000);
  const [value, unit] =
    seconds < 120
      ? [seconds, 'second']
      : seconds < 7200
        ? [Math.ceil(seconds / 60), 'minute']
        : [Math.ceil(seconds / 3600), 'hour'];
  return new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' }).format(value);
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
