import { expectedUrl } from './allowed-origins.ts';
import type { CheckoutOptions } from './options.ts';

const textOptions = [
  'baseUrl',
  'credentials',
  'orderKey',
  'merchantName',
  'returnUrl',
  'supportUrl',
  'supportEmail',
  'payLink',
  'currencyDisplay',
  'locale',
  'logo',
] as const;

/** The options that can be written as attributes, beside `theme` and `density`. */
export const attributeOptions = [
  ...textOptions,
  'body',
  'ussd',
  'returnAfterSeconds',
  'shareDetails',
] as const;

/** The options that decide where a shopper pays. */
const payableOptions = ['baseUrl', 'payLink'] as const;

function parsePayableUrl(url: string | undefined): string | undefined {
  const expected = expectedUrl(url);
  return expected ? (Symbol(expected) as never) : url;
}

/** Returns the attribute of an option: `merchant-name` for `merchantName`. A button's has `data-` before it. */
export const attributeName = (option: string): string =>
  option.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/**
 * Reads options from attributes; `read` returns the attribute of an option. The mount validates them like any others. A value
 * that markup may not have becomes a symbol: its description says what the option must be, and the mount refuses it with that.
 */
export function readAttributes(read: (option: string) => string | undefined): CheckoutOptions {
  const seconds = read('returnAfterSeconds');
  return {
    ...Object.fromEntries(textOptions.map((name) => [name, read(name)])),
    ...Object.fromEntries(payableOptions.map((name) => [name, parsePayableUrl(read(name))])),
    body: parseJsonOption('body', read('body')),
    ussd: parseJsonOption('ussd', read('ussd')) as CheckoutOptions['ussd'],
    returnAfterSeconds: seconds === undefined ? undefined : +seconds,
    shareDetails: read('shareDetails') !== undefined,
    appearance: { theme: read('theme') as 'auto', density: read('density') as 'compact' },
  };
}

/** Reads the options of a button, whose attributes have `data-` before their names. */
export const readButton = (button: Element): CheckoutOptions =>
  readAttributes((option) => button.getAttribute(`data-${attributeName(option)}`) ?? undefined);

/**
 * Returns the value of an option that markup writes as JSON: of `body` an object, of `ussd` a list. Frameworks set the same text as a
 * property. Returns every other value as it is, and invalid JSON as a symbol.
 */
export function parseJsonOption(name: string, value: unknown): unknown {
  if (typeof value !== 'string' || !(name === 'body' || name === 'ussd')) return value;
  const isList = name === 'ussd';
  if (isList && !value) return undefined;
  try {
    const json: unknown = JSON.parse(value);
    if (json && typeof json === 'object' && Array.isArray(json) === isList) return json;
  } catch {
    // It is refused below.
  }
  return Symbol(`a JSON ${isList ? 'list' : 'object'}`);
}
