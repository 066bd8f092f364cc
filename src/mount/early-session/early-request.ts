import { ownCopy } from '../../contract/own-fields.ts';
import { checkoutEventNames } from '../../core/machine/checkout-events.ts';
import type { SessionRequest } from '../../core/session/session-request.ts';
import { type CheckoutOptions, callbackName, type optionNames } from '../options/options.ts';

type IsValid = (value: unknown) => boolean;

const isAnything: IsValid = () => true;
const isNothing: IsValid = () => false;
const isText =
  (shape: RegExp): IsValid =>
  (value) =>
    typeof value === 'string' && shape.test(value);
/** A path, or an http(s) URL, without query or escapes. */
const isSimpleUrl = isText(
  /^(https?:\/\/[a-z][a-z\d]*([.-][a-z][a-z\d]*)*(:\d{1,4})?)?(\/[\w~-][\w.~-]*)*\/?$/,
);

/** For each option, values that `checkOptions` is certain to accept, besides undefined. */
const optionRules: { readonly [name in (typeof optionNames)[number]]: IsValid } = {
  baseUrl: (value) => value !== '' && isSimpleUrl(value),
  returnUrl: isSimpleUrl,
  supportUrl: isSimpleUrl,
  payLink: isSimpleUrl,
  logo: isSimpleUrl,
  credentials: isText(/^(same-origin|include|omit)$/),
  returnAfterSeconds: (value) => Number.isInteger(value) && Number(value) > 2,
  currencyDisplay: isText(/^(symbol|code)$/),
  supportEmail: isText(/^[\w.+-]+@[\w.-]+$/),
  locale: isText(/^(auto|[a-z]{2,3}(-[A-Z]{2})?)$/),
  appearance: (value) => Object(value).constructor === Object && areValid(value, appearanceRules),
  body: isAnything,
  orderKey: isAnything,
  merchantName: isAnything,
  text: isAnything,
  languages: isAnything,
  shareDetails: isAnything,
  session: isNothing,
  ussd: isNothing,
};

const appearanceRules = {
  theme: isText(/^(light|dark|auto)$/),
  density: isText(/^(comfortable|compact)$/),
  variables: isNothing,
};

const callbackRules = Object.fromEntries(
  checkoutEventNames.map((name) => [callbackName(name), isAnything] as const),
);

const areValid = (group: unknown, rules: { readonly [name: string]: IsValid }): boolean =>
  Object.entries(group as object).every(
    ([name, value]) => Object.keys(rules).includes(name) && (value === undefined || rules[name]?.(value)),
  );

/**
 * Returns the session request that the widget would send for these options, or undefined when that is not certain. Accepts fewer
 * options than `checkOptions`, and none that it refuses: no account may be created for a checkout that cannot be shown.
 */
export function earlyRequestOf(options: CheckoutOptions): SessionRequest | undefined {
  const { baseUrl = '/checkout', body = {}, credentials } = ownCopy(options);
  try {
    const json: string | undefined = JSON.stringify(body);
    return json !== undefined && areValid(options, { ...optionRules, ...callbackRules })
      ? { baseUrl: baseUrl.replace(/\/$/, ''), body: json, credentials }
      : undefined;
  } catch {
    // The widget will report the invalid option.
    return undefined;
  }
}
