import * as v from 'valibot';
import { exactObject } from '../../../client/api/fields.ts';

/** One year; a longer wait is probably in the wrong unit. */
export const maxSeconds = 31_536_000;

const Integer = v.pipe(v.number('must be a number'), v.safeInteger('must be a whole number'));

/** A count, or an amount in minor units, above 0. */
export const WholeNumber = v.pipe(Integer, v.minValue(1, 'must be above 0'));

/** An amount in minor units, 0 or more. */
export const MinorAmount = v.pipe(Integer, v.minValue(0, 'must not be below 0'));

/** A count or a duration from 0 to `most`. */
export const wholeNumberUpTo = (most: number) =>
  v.pipe(MinorAmount, v.maxValue(most, `must be at most ${most}`));

const bounds = 'must be from 0 to 1';
export const Probability = v.pipe(v.number(bounds), v.minValue(0, bounds), v.maxValue(1, bounds));

/** The body `{}` of a control call without input. It is required, because no form of another site can send JSON. */
export const NoInput = exactObject({});
