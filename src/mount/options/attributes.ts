import type { CheckoutOptions } from './options.ts';

const texts = [
  'baseUrl',
  'credentials',
  'orderKey',
  'merchantName',
  'returnUrl',
  'supportUrl',
  'supportEmail',
  'payLink',
  'locale',
  'logo',
] as const;

/**
 * The options that can be written, beside `theme` and `density`: `merchantName` as the attribute `merchant-name`, on a
 * button as `data-merchant-name`.
 */
export const writtenOptions = [...texts, 'body', 'ussd', 'returnAfterSeconds', 'shareDetails'] as const;

/** Reads them; `read` gives what is written under a name. They are checked by the mount, like all others. */
export function readWritten(read: (name: string) => string | undefined): CheckoutOptions {
  const seconds = read('returnAfterSeconds');
  return {
    ...Object.fromEntries(texts.map((name) => [name, read(name)])),
    body: parse(read('body')),
    ussd: parse(read('ussd')) as CheckoutOptions['ussd'],
    returnAfterSeconds: seconds === undefined ? undefined : +seconds,
    shareDetails: read('shareDetails') !== undefined,
    appearance: { theme: read('theme') as 'auto', density: read('density') as 'compact' },
  };
}

/** What is no JSON becomes what JSON cannot hold, and is refused with the other options. */
function parse(json: string | undefined): unknown {
  try {
    return json && JSON.parse(json);
  } catch {
    return Symbol('not JSON');
  }
}
