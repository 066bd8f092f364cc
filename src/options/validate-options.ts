import { ownFields } from '../contract/own-fields.ts';
import { callbackNames } from './callbacks.ts';
import { checkOptions } from './check-options.ts';
import { anyValue } from './option.ts';
import { type CheckoutOptions, type OptionName, optionNames, options } from './options.ts';

/** Validated options: all of them, as own fields. */
export type ValidOptions = { readonly [Name in OptionName]: CheckoutOptions[Name] };

const callbacks = Object.fromEntries(callbackNames.map((name) => [name, anyValue()]));

/**
 * Validates the options of a checkout. Reads nothing of the page.
 *
 * @throws {CheckoutError} `invalid_options`, with what to write instead
 */
export function validateOptions(given: CheckoutOptions = {}): ValidOptions {
  return ownFields(checkOptions(given, { ...options, ...callbacks }), optionNames) as ValidOptions;
}
