import * as v from 'valibot';
import { MinorUnits } from './fields.ts';
import { wireObject } from './wire-object.ts';

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
