import * as v from 'valibot';
import { ownCopy } from '../contract/own-fields.ts';

/**
 * How markup writes an option: as it is; as a URL that decides where the shopper pays; as a number; by having the attribute; or as JSON, a
 * list or an object.
 */
export type Markup = 'text' | 'payableUrl' | 'number' | 'flag' | 'list' | 'object';

/** A table of options: a schema for each, whose message says what the option must be, as the end of a sentence. */
export type OptionTable = { readonly [name: string]: v.GenericSchema };

/** The values of a table's options. It keeps the doc comments of the rows. */
export type ValuesOf<Rows extends OptionTable> = {
  readonly [Name in keyof Rows]?: v.InferOutput<Rows[Name]> | undefined;
};

/** Says how markup writes an option. Options without this have no attribute. */
// @__NO_SIDE_EFFECTS__
export const writtenAs = <Value>(markup: Markup) =>
  v.metadata<Value, { readonly markup: Markup }>({ markup });

export const markupOf = (schema: v.GenericSchema): Markup | undefined =>
  v.getMetadata(schema).markup as Markup | undefined;

/** An option of which a wrong value only looks wrong: the shopper can still pay. */
// @__NO_SIDE_EFFECTS__
export const anyValue = <Value>() => v.custom<Value>((value) => typeof value !== 'symbol', '');

// @__NO_SIDE_EFFECTS__
export const oneOf = <const Choice extends string>(...choices: Choice[]) =>
  v.pipe(
    v.custom<Choice>((value) => choices.includes(value as Choice), `one of ${choices.join(', ')}`),
    writtenAs('text'),
  );

/** An object with these options. Null is the same as leaving one out. Reads the object's own fields only. */
// @__NO_SIDE_EFFECTS__
export function group<const Rows extends OptionTable>(rows: Rows): v.GenericSchema<ValuesOf<Rows>> {
  const names = Object.keys(rows);
  const optional = Object.entries(rows).map(([name, row]) => [name, v.optional(row)]);
  // valibot walks the entries with `for in`.
  const schema = v.strictObject(ownCopy(Object.fromEntries(optional)), ({ expected }) =>
    expected === 'never' ? `Use one of ${names.join(', ')}.` : 'an object',
  );
  return {
    ...schema,
    '~run'({ value }, config) {
      const given = Object.entries(Object(value)).map(([name, one]) => [name, one ?? undefined]);
      const isObject = typeof value === 'object' && value !== null;
      return schema['~run']({ value: isObject ? ownCopy(Object.fromEntries(given)) : value }, config);
    },
  } as v.GenericSchema<ValuesOf<Rows>>;
}
