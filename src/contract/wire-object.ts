import * as v from 'valibot';
import { ownCopy, ownFields } from './own-fields.ts';

/**
 * Returns the schema of an object on the wire. It reads only the input's own fields, and the output has every field of the schema: code
 * that reads a left-out one never reads `Object.prototype` instead.
 */
// @__NO_SIDE_EFFECTS__
export function wireObject<const Entries extends v.ObjectEntries>(
  entries: Entries,
): v.ObjectSchema<Entries, undefined> {
  // valibot walks the entries with `for in`.
  const schema = v.object(ownCopy(entries));
  return {
    ...schema,
    '~run'({ value }, config) {
      const isObject = typeof value === 'object' && value !== null;
      return schema['~run']({ value: isObject ? ownFields(value, Object.keys(entries)) : value }, config);
    },
  };
}
