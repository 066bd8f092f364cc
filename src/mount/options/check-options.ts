import * as v from 'valibot';
import { CheckoutError, ownCopy, ownFields, parseWebUrl, Session } from '../../contract/index.ts';
import { checkoutEventNames } from '../../core/index.ts';
import type { Theme, UssdBank } from '../../model/index.ts';
import { pageBase } from '../page/page.ts';
import {
  type Appearance,
  type CheckoutOptions,
  callbackName,
  optionNames,
  variableNames,
} from './options.ts';

/** Valid options, with defaults and resolved URLs. */
export type CheckedOptions = Omit<CheckoutOptions, 'appearance' | 'baseUrl' | 'body' | 'logo'> & {
  readonly baseUrl: string;
  /** As JSON. */
  readonly body: string;
  readonly theme: Theme;
  /** Values by custom property. */
  readonly variables: { readonly [name: string]: string };
  readonly logo?: { readonly src: string; readonly alt: string } | undefined;
};

/**
 * Validates the options of a checkout.
 *
 * @throws {CheckoutError} `invalid_options`, with what to write instead
 */
export function checkOptions(given: CheckoutOptions = {}): CheckedOptions {
  checkNames('', given, [...optionNames, ...checkoutEventNames.map(callbackName)]);
  const options = ownFields(given, optionNames) as CheckoutOptions;
  checkSymbols(options);
  const { baseUrl = '/checkout', body = {}, session, returnAfterSeconds = 3 } = options;
  const appearance = ownCopy(options.appearance);
  const theme = appearance?.theme ?? 'auto';
  checkNames('appearance.', appearance, ['theme', 'density', 'variables']);
  checkNames('appearance.variables.', appearance?.variables, variableNames);
  checkChoice('appearance.theme', theme, ['light', 'dark', 'auto']);
  checkChoice('appearance.density', appearance?.density, ['comfortable', 'compact']);
  checkChoice('credentials', options.credentials, ['same-origin', 'include', 'omit']);
  checkChoice('currencyDisplay', options.currencyDisplay, ['symbol', 'code']);
  if (!(Number.isInteger(returnAfterSeconds) && returnAfterSeconds > 2)) {
    refuse('returnAfterSeconds', 'a whole number, 3 or more');
  }
  return {
    ...options,
    theme,
    variables: customProperties(appearance),
    logo: checkLogo(options.logo),
    baseUrl: checkBaseUrl(baseUrl),
    returnUrl: checkUrl('returnUrl', options),
    supportUrl: checkUrl('supportUrl', options),
    payLink: checkUrl('payLink', options),
    ussd: checkUssd(options.ussd),
    supportEmail: checkEmail(options.supportEmail),
    locale: checkLocale(options.locale),
    text: options.text && ownCopy(options.text),
    body: toJson(body),
    session: session && checkSession(session),
  };
}

function checkNames(prefix: string, group: object = {}, known: readonly string[]): void {
  const unknown = Object.keys(group).find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw invalidOptions(`Unknown option ${prefix}${unknown}. Use one of ${known.join(', ')}.`);
}

/** An attribute that was refused when it was read is a symbol, which says what the option must be. */
function checkSymbols(options: CheckoutOptions): void {
  for (const [name, value] of Object.entries(options))
    if (typeof value === 'symbol') refuse(name, `${value.description}`);
}

function checkChoice(name: string, choice: string | undefined, choices: readonly string[]): void {
  if (choice !== undefined && !choices.includes(choice)) refuse(name, `one of ${choices.join(', ')}`);
}

function checkUrl(
  name: 'returnUrl' | 'supportUrl' | 'payLink',
  options: CheckoutOptions,
): string | undefined {
  const url = options[name];
  return url && (parseWebUrl(url, pageBase())?.href ?? refuse(name, 'an http(s) URL or a path'));
}

function customProperties({ density, variables }: Appearance = {}): Record<string, string> {
  const all = { gap: density === 'compact' ? '.5em' : '', ...variables };
  return Object.fromEntries(Object.entries(all).map(([name, value]) => [`--checkout-${name}`, value]));
}

function checkLogo(logo: CheckoutOptions['logo']): CheckedOptions['logo'] {
  const { src, alt = '' } = typeof logo === 'object' && logo ? logo : { src: logo };
  if (!src) return undefined;
  if (typeof src !== 'string' || !/^(https?:|data:image|[^:]*$)/.test(src))
    refuse('logo', 'an http(s) URL, a path, or a data URL of an image');
  return { src, alt };
}

function checkUssd(banks: CheckoutOptions['ussd']): CheckoutOptions['ussd'] {
  const isValid = ({ bank, template }: UssdBank): boolean =>
    !!bank && /^\*(?!.*\d{10})([\d*]|{(amount|account)})+#$/.test(template);
  return !banks || (Array.isArray(banks) && banks.every((one) => isValid(Object(one))))
    ? banks
    : refuse('ussd', 'a list such as [{ bank: "…", template: "*901*{amount}*{account}#" }]');
}

function checkEmail(email: string | undefined): string | undefined {
  return !email || (typeof email === 'string' && /^[^\s@?&]+@[^\s@?&]+$/.test(email))
    ? email
    : refuse('supportEmail', 'an e-mail address');
}

function checkLocale(locale: CheckoutOptions['locale']): CheckoutOptions['locale'] {
  if (locale === 'auto') return locale;
  try {
    Intl.getCanonicalLocales(typeof locale === 'string' ? locale.split(' ') : (locale as string[]));
    return locale;
  } catch {
    return refuse('locale', '"auto", a language tag such as "fr", or several');
  }
}

function refuse(option: string, expected: string): never {
  throw invalidOptions(`The option ${option} must be ${expected}.`);
}

const invalidOptions = (message: string): CheckoutError => new CheckoutError('invalid_options', message);

function checkBaseUrl(baseUrl: string): string {
  // Browsers read `//host` and `/\\host` as other sites, and the routes cannot follow a query.
  const isPath = typeof baseUrl === 'string' && /^\/(?![/\\])/.test(baseUrl);
  if (!(isPath || parseWebUrl(baseUrl)) || /[?#]/.test(baseUrl)) {
    refuse('baseUrl', 'a path such as "/checkout", or an http(s) URL, without query');
  }
  return baseUrl.replace(/\/$/, '');
}

function toJson(body: unknown): string {
  let json: string | undefined;
  try {
    // Undefined for a function or a symbol.
    json = JSON.stringify(body);
  } catch {
    // Circular, or with a BigInt.
  }
  return json ?? refuse('body', 'a value that JSON can represent');
}

function checkSession(session: unknown): Session {
  const result = v.safeParse(Session, session);
  return result.success
    ? result.output
    : refuse('session', 'a session from createSession() of the server-kit');
}
