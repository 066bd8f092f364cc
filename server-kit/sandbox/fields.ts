import * as v from 'valibot';

/** A count or an amount in minor units, above 0, in the input of a control call. */
export const WholeNumber = v.pipe(
  v.number('must be a number'),
  v.safeInteger('must be a whole number'),
  v.minValue(1, 'must be above 0'),
);
