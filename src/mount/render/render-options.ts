import { CheckoutError, parseWebUrl } from '../../contract/index.ts';
import { attributeName } from '../options/attributes.ts';
import { checkOptions } from '../options/check-options.ts';
import type { Appearance, CheckoutOptions } from '../options/options.ts';

/** The checkout options that a server can render: those that `<transfer-checkout>` accepts as attributes, `text` and `languages`. */
export type RenderOptions = Pick<
  CheckoutOptions,
  | 'baseUrl'
  | 'credentials'
  | 'body'
  | 'orderKey'
  | 'merchantName'
  | 'returnUrl'
  | 'returnAfterSeconds'
  | 'supportUrl'
  | 'supportEmail'
  | 'payLink'
  | 'shareDetails'
  | 'ussd'
  | 'locale'
  | 'languages'
  | 'text'
> & {
  /**
   * The URL of `checkout.css`, which is beside `checkout.js`: a path or an http(s) URL. It blocks the first paint. Required unless
   * there is a `nonce`.
   */
  readonly stylesheet?: string | undefined;
  /**
   * The nonce of the page's content security policy for styles; empty where the page has no such policy. With it the styles are
   * written into the HTML.
   */
  readonly nonce?: string | undefined;
  /** The URL of `checkout.js`. The page then preloads the widget. */
  readonly script?: string | undefined;
  /** The shop's logo; see `CheckoutOptions`. */
  readonly logo?: string | undefined;
  /** Default: `auto`. */
  readonly theme?: Appearance['theme'];
  /** Default: `comfortable`. The page's own style sheet sets all other styles: `--checkout-accent` and so on. */
  readonly density?: Appearance['density'];
  /** The element's `id`. */
  readonly id?: string | undefined;
  /** The reader's languages, best first, as in `Accept-Language`. Used when `locale` leaves a choice. */
  readonly preferredLanguages?: readonly string[] | undefined;
  /** The time zone of the times in the HTML, which name it. Default: `UTC`. The script then uses the reader's own. */
  readonly timeZone?: string | undefined;
};

/** The options that become attributes or properties of the element. */
export type ElementOptions = Omit<
  RenderOptions,
  'stylesheet' | 'nonce' | 'script' | 'theme' | 'density' | 'id' | 'preferredLanguages' | 'timeZone'
>;

/** Relative URLs stay relative: the server does not know the page's address. */
export function settingsOf(
  { returnUrl, supportUrl, payLink, ...others }: ElementOptions,
  appearance: Appearance,
) {
  const checked = checkOptions({ ...others, appearance });
  checkAddress('payLink', payLink);
  return {
    ...checked,
    variables: {},
    returnUrl: checkAddress('returnUrl', returnUrl),
    // The help link adds the reference as a query, which needs an absolute URL.
    supportUrl: parseWebUrl(checkAddress('supportUrl', supportUrl))?.href,
  };
}

/** Accepts an http(s) URL or a relative one, but no other scheme. */
export function checkAddress(name: string, address: string | undefined): string | undefined {
  const isRelative =
    address !== undefined && !/^[\s\p{Cc}]*[a-z][\w+.-]*:/iu.test(address.replace(/[\t\n\r]/g, ''));
  if (address === undefined || isRelative || parseWebUrl(address)) return address;
  throw new CheckoutError('invalid_options', `The option ${name} must be an http(s) URL or a path.`);
}

/** Returns the attributes that the element reads. `text` and `languages` have none: the page sets them as properties. */
export function attributesOf({
  text: _,
  languages: __,
  body,
  ussd,
  locale,
  ...others
}: ElementOptions): Record<string, unknown> {
  const written = {
    ...others,
    body: body === undefined ? undefined : JSON.stringify(body),
    ussd: ussd && JSON.stringify(ussd),
    locale: typeof locale === 'object' ? locale.join(' ') : locale,
  };
  return Object.fromEntries(Object.entries(written).map(([name, value]) => [attributeName(name), value]));
}
