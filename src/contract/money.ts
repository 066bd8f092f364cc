// Uses only `check`: each other valibot action would add to the widget's size.
import * as v from 'valibot';
import { wireObject } from './wire-object.ts';

/** A whole, non-negative number of minor units (kobo, cents). */
export const MinorUnits = v.pipe(
  v.number(),
  v.check((units) => Number.isSafeInteger(units) && units >= 0),
);

/** An amount in minor units: NGN 12,500.00 is `{ value: 1250000, currency: 'NGN' }`. */
export const Money = wireObject({
  value: MinorUnits,
  /** ISO 4217, in capitals. */
  currency: v.pipe(
    v.string(),
    v.check((code) => /^[A-Z]{3}$/.test(code)),
  ),
});
export type Money = v.InferOutput<typeof Money>;
