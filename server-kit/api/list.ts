import * as v from 'valibot';
import { maybe } from './fields.ts';

const UnixSeconds = v.pipe(
  v.number(),
  v.safeInteger('must be whole UNIX seconds'),
  v.minValue(1, 'must be above 0'),
);

/** What every list can be asked for (interface, sections 4.2, 4.9, 4.11 and 8). */
export const listFields = {
  /** The most records in one page, 1 to 100. */
  limit: v.optional(
    v.pipe(
      v.number(),
      v.safeInteger('must be a whole number'),
      v.minValue(1, 'must be at least 1'),
      v.maxValue(100, 'must be at most 100'),
    ),
  ),
  /** Where to go on: the `cursor` of the page before. */
  cursor: v.optional(v.pipe(v.string(), v.minLength(1, 'must not be empty'))),
  /** Bounds of the moment of creation, in UNIX seconds. */
  createdAt: v.optional(
    v.pipe(
      v.strictObject({
        gte: v.optional(UnixSeconds),
        lte: v.optional(UnixSeconds),
        gt: v.optional(UnixSeconds),
        lt: v.optional(UnixSeconds),
      }),
      // A Date, or an array, would pass for bounds of which none is given, and the list would not be filtered.
      v.check(
        (bounds) => Object.values(bounds).some((bound) => bound !== undefined),
        'must have gte, lte, gt or lt',
      ),
    ),
  ),
};

/** One word of a list, or several of them: a record with any of them is listed. */
export const someOf = <const Words extends readonly [string, ...string[]]>(words: Words) => {
  const message = `must be one of ${words.join(', ')}`;
  return v.optional(
    v.union(
      [v.picklist(words, message), v.pipe(v.array(v.picklist(words, message)), v.minLength(1))],
      message,
    ),
  );
};

/** 2.11, one page of a list. */
export const listOf = <const Schema extends v.GenericSchema>(schema: Schema) =>
  v.looseObject({ hasMore: v.boolean(), cursor: maybe(v.string()), data: v.array(schema) });
