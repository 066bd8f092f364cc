import * as v from 'valibot';

const Integer = v.pipe(v.number('must be a number'), v.safeInteger('must be a whole number'));

/** A count or an amount in minor units, above 0, in the input of a control call. */
export const WholeNumber = v.pipe(Integer, v.minValue(1, 'must be above 0'));

/** An amount in minor units that may be 0, in the input of a control call. */
export const MinorAmount = v.pipe(Integer, v.minValue(0, 'must not be below 0'));
