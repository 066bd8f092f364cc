import type { Money } from '../core/index.ts';
import { en } from '../locales/en.ts';
import type { Messages } from '../locales/messages.ts';

/**
 * A message by its key, with `{name}` replaced by the value of that name. Empty for words that have not been loaded
 * yet.
 */
export type Text = (key: keyof Messages, values?: Record<string, string>) => string;

/** The texts of one checkout: English, or what the merchant says instead. `learn` adds words that come later. */
export function createText(overrides: Partial<Messages> = {}): {
  text: Text;
  learn: (more: Partial<Messages>) => void;
} {
  let words: Partial<Messages> = { ...en, ...overrides };
  return {
    text: (key, values) =>
      `${words[key] ?? ''}`.replace(/\{(\w+)}/g, (whole, name: string) => values?.[name] ?? whole),
    learn(more) {
      words = { ...more, ...words };
    },
  };
}

/** `NGN 12,500.00`, with a space that does not break. */
export function formatMoney({ value, currency }: Money): string {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency, currencyDisplay: 'code' });
  const digits = format.resolvedOptions().maximumFractionDigits ?? 0;
  const minor = value % 10 ** digits;
  // Whole numbers only: an amount is never divided with a remainder, so never rounded.
  return format
    .formatToParts((value - minor) / 10 ** digits)
    .map((part) => (part.type === 'fraction' ? pad(minor, digits) : part.value))
    .join('');
}

/** `12500.00`: what a bank's form takes. */
export function plainAmount(amount: Money): string {
  return formatMoney(amount).replace(/[^\d.]/g, '');
}

const pad = (number: number, digits: number): string => `${number}`.padStart(digits, '0');

/** `09:05`, from an hour on `1:09:05`; a second that has begun counts as whole. */
export function formatCountdown(remainingMs: number): string {
  const seconds = Math.ceil(remainingMs / 1000);
  const hours = Math.floor(seconds / 3600);
  const rest = `${pad(Math.floor(seconds / 60) % 60, 2)}:${pad(seconds % 60, 2)}`;
  return hours > 0 ? `${hours}:${rest}` : rest;
}

/** `9012 345 678`: groups that can be read out and compared. What has other than digits stays as it is. */
export function groupAccountNumber(number: string): string {
  return /\D/.test(number) ? number : number.replace(/^\d{4}|\d{3}/g, '$& ').trim();
}
