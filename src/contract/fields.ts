import * as v from 'valibot';
import { parseWebUrl } from './web-url.ts';

export const NonEmpty = v.pipe(v.string(), v.nonEmpty());

/** A text that `parseWebUrl` accepts. */
export const WebUrl = v.pipe(
  v.string(),
  v.check((text) => parseWebUrl(text) !== undefined),
);

/** ISO 8601 in UTC. */
export const UtcTimestamp = v.pipe(
  v.string(),
  v.check((text) => /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(text) && Date.parse(text) > 0),
);

/** A whole, non-negative number of minor units (kobo, cents). */
export const MinorUnits = v.pipe(v.number(), v.safeInteger(), v.minValue(0));

/** An amount in minor units: NGN 12,500.00 is `{ value: 1250000, currency: 'NGN' }`. */
export const Money = v.object({
  /** In minor units: 650000 is ₦6,500.00. */
  value: MinorUnits,
  /** ISO 4217, in capitals. */
  currency: v.pipe(v.string(), v.regex(/^[A-Z]{3}$/)),
});
export type Money = v.InferOutput<typeof Money>;

/** Converts an amount to a decimal text in major units: 1250000 of NGN is `'12500.00'`, 500 of JPY is `'500'`. */
export function toMajorUnits({ value, currency }: Money): string {
  const digits = decimalsOf(currency);
  const text = String(value).padStart(digits + 1, '0');
  return digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`;
}

/** Returns how many decimals amounts of a currency have, as the widget writes them: 2 for NGN, none for JPY, 3 for KWD. */
export const decimalsOf = (currency: string): number =>
  new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2;
