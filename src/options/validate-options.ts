import { ownFields } from '../contract/own-fields.ts';
import { callbackNames } from './callbacks.ts';
import { anyValue, group } from './option.ts';
import { type CheckoutOptions, type OptionName, optionNames, options } from './options.ts';
import { parseOptions } from './parse-options.ts';

/** Validated options: all of them, as own fields. */
export type ValidOptions = { readonly [Name in OptionName]: CheckoutOptions[Name] };

const callbacks = Object.fromEntries(callbackNames.map((name) => [name, anyValue<unknown>()]));
const Options = group({ ...options, ...callbacks });

/**
 * Validates the options of a checkout. Reads nothing of the page.
 *
 * @throws {CheckoutError} `invalid_options`, with what to write instead
 */
export const validateOptions = (given: CheckoutOptions = {}): ValidOptions =>
  ownFields(parseOptions(Options, given), optionNames) as ValidOptions;
