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

/** Returns the attribute of an option: `merchant-name` for `merchantName`. A button's has `data-` before it. */
export const attributeName = (option: string): string =>
  option.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** Reads options from attributes; `read` returns the attribute of an option. The mount validates them like any others. */
export function readAttributes(read: (option: string) => string | undefined): CheckoutOptions {
  const seconds = read('returnAfterSeconds');
  return {
    ...Object.fromEntries(textOptions.map((name) => [name, read(name)])),
    body: parseJson(read('body')),
    ussd: parseJson(read('ussd')) as CheckoutOptions['ussd'],
    returnAfterSeconds: seconds === undefined ? undefined : +seconds,
    shareDetails: read('shareDetails') !== undefined,
    appearance: { theme: read('theme') as 'auto', density: read('density') as 'compact' },
  };
}

/** Invalid JSON becomes a symbol, which the mount's validation refuses. */
function parseJson(json: string | undefined): unknown {
  try {
    return json && JSON.parse(json);
  } catch {
    return Symbol('not JSON');
  }
}
