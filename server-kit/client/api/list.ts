import * as v from 'valibot';
import { atLeastOneField, exactObject, lenient } from './fields.ts';

/** The most records in a page (interface, section 8). */
const maxRecords = 100;

const UnixSeconds = v.pipe(
  v.number(),
  v.safeInteger('must be whole UNIX seconds'),
  v.minValue(1, 'must be above 0'),
);

/** The filters of every list (interface, sections 4.2, 4.9, 4.11 and 8). */
export const listFields = {
  /** The most records in one page: 1 to 100. */
  limit: v.optional(
    v.pipe(
      v.number(),
      v.safeInteger('must be a whole number'),
      v.minValue(1, 'must be at least 1'),
      v.maxValue(maxRecords, `must be at most ${maxRecords}`),
    ),
  ),
  /** Where to continue: the `cursor` of the previous page. */
  cursor: v.optional(v.pipe(v.string(), v.minLength(1, 'must not be empty'))),
  /** Bounds of the creation time, in UNIX seconds. */
  createdAt: v.optional(
    v.pipe(
      exactObject({
        gte: v.optional(UnixSeconds),
        lte: v.optional(UnixSeconds),
        gt: v.optional(UnixSeconds),
        lt: v.optional(UnixSeconds),
      }),
      // A Date or an array would pass as an object without bounds, and the list would be unfiltered.
      atLeastOneField('must have gte, lte, gt or lt'),
    ),
  ),
};

/** One value, or several of which a record must have any. */
export const oneOrMoreOf = <const Words extends readonly [string, ...string[]]>(words: Words) => {
  const message = `must be one of ${words.join(', ')}`;
  return v.optional(
    v.union(
      [v.picklist(words, message), v.pipe(v.array(v.picklist(words, message)), v.minLength(1))],
      message,
    ),
  );
};

const Records = v.pipe(
  v.array(v.unknown()),
  v.maxLength(maxRecords, `must have at most ${maxRecords} records`),
);
const envelopeFields = { hasMore: v.boolean(), cursor: lenient(v.string()) };

/**
 * Interface, section 2.11: one page of a list. `envelope` is the page with unread records, so that they are read one by one with
 * `record` and an invalid one does not lose the others.
 */
export const pageOf = <const Schema extends v.GenericSchema>(schema: Schema) =>
  Object.assign(v.looseObject({ ...envelopeFields, data: v.array(schema) }), {
    record: schema,
    envelope: v.looseObject({ ...envelopeFields, data: Records }),
  });
