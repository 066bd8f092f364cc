import { CheckoutError } from '../contract/errors.ts';

/** How markup writes an option: as it is, as a URL that decides where the shopper pays, as a number, as a flag, or as JSON. */
export type Markup = 'text' | 'payableUrl' | 'number' | 'flag' | 'list' | 'object';

export type Option<Value> = {
  readonly read: (value: unknown) => Value | undefined;
  /** What the option must be, as the end of a sentence. */
  readonly expected: string;
  readonly markup?: Markup | undefined;
  /** The option only concerns the look: a refused value is reported and left out, because the shopper can still pay. */
  readonly isLook?: boolean;
  readonly rows?: OptionTable;
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
): Option<Value> => ({ read: (value) => (accepts(value) ? (value as Value) : undefined), expected, markup });

/** An option that takes any value; an attribute that markup may not have is a symbol. */
// @__NO_SIDE_EFFECTS__
export const anyValue = <Value>(markup?: Markup): Option<Value> =>
  option((value) => typeof value !== 'symbol', '', markup);

// @__NO_SIDE_EFFECTS__
export const flag = (): Option<boolean> => ({
  read: (value) => (typeof value === 'string' ? !isOff(value) : !!value),
  expected: 'true or false',
  markup: 'flag',
});

export const isOff = (text: string): boolean => /^\s*(false|0|off|no)\s*$/i.test(text);

// @__NO_SIDE_EFFECTS__
export const oneOf = <const Choice extends string>(...choices: Choice[]): Option<Choice> => ({
  read: (value) =>
    choices.find(
      (choice) => typeof value === 'string' && choice === value.toLowerCase().replaceAll('_', '-'),
    ),
  expected: `one of ${choices.join(', ')}`,
  markup: 'text',
});

// @__NO_SIDE_EFFECTS__
export const look = <Value>(row: Option<Value>): Option<Value> => ({ ...row, isLook: true });

// @__NO_SIDE_EFFECTS__
export const group = <Rows extends OptionTable>(rows: Rows): Option<ValuesOf<Rows>> => ({
  ...option((value) => typeof value === 'object', 'an object'),
  rows,
});

/** Null and an empty text are the same as leaving an option out. @throws {CheckoutError} `invalid_options` */
export function checkOptions(
  given: object,
  table: OptionTable,
  onLeftOut: (error: CheckoutError) => void,
  prefix = '',
): object {
  const checked = Object.entries(given).map(([key, value]) => {
    const name = prefix + key;
    const row = Object.hasOwn(table, key) ? table[key] : undefined;
    if (!row) throw refusal(`Unknown option ${name}. Use one of ${Object.keys(table).join(', ')}.`);
    if (value === undefined || value === null || value === '') return [key, undefined];
    const read = row.read(value);
    if (read !== undefined)
      return [key, row.rows ? checkOptions(Object(read), row.rows, onLeftOut, `${name}.`) : read];
    // An attribute that was refused when it was read is a symbol, which says what the option must be.
    const expected = typeof value === 'symbol' ? value.description : row.expected;
    const error = refusal(`The option ${name} must be ${expected}.`);
    if (!row.isLook) throw error;
    onLeftOut(error);
    return [key, undefined];
  });
  return Object.fromEntries(checked);
}

const refusal = (message: string): CheckoutError => new CheckoutError('invalid_options', message);
