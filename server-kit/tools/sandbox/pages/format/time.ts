import { formatDuration } from './text.ts';

/** Times are shown in UTC, as in the records and logs. */
const utc = (options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat('en-GB', { ...options, timeZone: 'UTC' });
const date = utc({ dateStyle: 'medium' });
const time = utc({ timeStyle: 'medium' });
const dateAndTime = utc({ dateStyle: 'medium', timeStyle: 'medium' });

/** `21 Nov 2025` */
export const formatDate = (when: number | string): string => date.format(new Date(when));

/** `10:32:05` */
export const formatTime = (when: number | string): string => time.format(new Date(when));

/** `21 Nov 2025, 10:32:05` */
export const formatDateTime = (when: number | string): string => dateAndTime.format(new Date(when));

/** Formats a time without its date if it is on the same day as `nowSeconds`. */
export const formatRecent = (when: string, nowSeconds: number | undefined): string =>
  nowSeconds !== undefined && formatDate(when) === formatDate(nowSeconds * 1000)
    ? formatTime(when)
    : formatDateTime(when);

/** Whether the clock was moved; up to a second is network delay. */
export const isMoved = (offsetSeconds: number): boolean => Math.abs(offsetSeconds) > 1;

/** `30 min ahead` of real time. */
export function formatOffset(offsetSeconds: number): string {
  if (!isMoved(offsetSeconds)) return 'real time';
  return `${formatDuration(Math.abs(offsetSeconds))} ${offsetSeconds > 0 ? 'ahead' : 'behind'}`;
}
