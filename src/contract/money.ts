import * as v from 'valibot';

/** A whole, non-negative number of minor units: kobo, cents. */
export const MinorUnits = v.pipe(v.number(), v.safeInteger(), v.minValue(0));

/** An amount in minor units: NGN 12,500.00 is `{ value: 1250000, currency: 'NGN' }`. */
export const Money = v.object({
  value: MinorUnits,
  /** ISO 4217, in capitals. */
  currency: v.pipe(v.string(), v.regex(/^[A-Z]{3}$/)),
});
export type Money = v.InferOutput<typeof Money>;
