import * as v from 'valibot';
import { CheckoutError } from '../../../src/contract/index.ts';
import { parseOrThrow } from '../errors/describe-issues.ts';

/**
 * Parses the options of a function, and fills in their defaults.
 *
 * @param name of the function
 * @param hint added to the message
 * @throws {CheckoutError} `invalid_options`, naming each option that is wrong, missing or unknown
 */
export const parseOptions = <Schema extends v.GenericSchema>(
  schema: Schema,
  options: unknown,
  name: string,
  hint = '',
): v.InferOutput<Schema> =>
  parseOrThrow(schema, options, 'options', (text) => {
    return new CheckoutError('invalid_options', `Invalid options for ${name}. ${text}.${hint}`);
  });

/** @param hint added to the message, such as ` that returns the order to pay` */
export const aFunction = <T>(hint = '') =>
  v.custom<T>((value) => typeof value === 'function', `must be a function${hint}`);

/** An object that another function or package has created, known by one of its members. */
export const objectWith = <T>(member: string, message: string) =>
  v.custom<T>(
    (value) => typeof (value as Record<string, unknown> | null | undefined)?.[member] !== 'undefined',
    message,
  );

/** A list, also a readonly one, which valibot's array schema does not accept. */
export const listOf = <Input, Output>(item: v.GenericSchema<Input, Output>, message: string) =>
  v.array(item, message) as unknown as v.GenericSchema<readonly Input[], readonly Output[]>;

export const wholeNumber = (least: number, most: number) =>
  v.pipe(v.number(), v.safeInteger('must be whole'), v.minValue(least), v.maxValue(most));
