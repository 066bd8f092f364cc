/**
 * How markup writes an option: as it is; as a URL that decides where the shopper pays; as a number; by having the attribute; or as JSON, a
 * list or an object.
 */
export type Markup = 'text' | 'payableUrl' | 'number' | 'flag' | 'list' | 'object';

/** A row of a table of options. */
export type Option<Value> = {
  readonly accepts: (value: unknown) => value is Value;
  /** What the option must be, as the end of a sentence. */
  readonly expected: string;
  /** Undefined for an option without an attribute. */
  readonly markup: Markup | undefined;
  /** Of a group of options: its own table. */
  readonly rows: OptionTable | undefined;
};
export type OptionTable = { readonly [name: string]: Option<unknown> };

/** The values of a table's options. It keeps the doc comments of the rows. */
export type ValuesOf<Rows> = {
  readonly [Name in keyof Rows]?: Rows[Name] extends Option<infer Value> ? Value | undefined : never;
};

// @__NO_SIDE_EFFECTS__
export const option = <Value>(
  accepts: (value: unknown) => boolean,
  expected: string,
  markup?: Markup,
): Option<Value> => ({ accepts: accepts as Option<Value>['accepts'], expected, markup, rows: undefined });

/** An option of which a wrong value only looks wrong: the shopper can still pay. */
// @__NO_SIDE_EFFECTS__
export const anyValue = <Value>(markup?: Markup): Option<Value> =>
  option((value) => typeof value !== 'symbol', '', markup);

// @__NO_SIDE_EFFECTS__
export const oneOf = <const Choice extends string>(...choices: Choice[]): Option<Choice> =>
  option((value) => choices.includes(value as Choice), `one of ${choices.join(', ')}`, 'text');

// @__NO_SIDE_EFFECTS__
export const group = <Rows extends OptionTable>(rows: Rows): Option<ValuesOf<Rows>> => ({
  ...anyValue<ValuesOf<Rows>>(),
  rows,
});
