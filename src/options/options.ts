import type { CheckoutError } from '../contract/errors.ts';
import type { Session } from '../contract/session.ts';
import type { CheckoutEventDetails, CheckoutEventName } from '../core/events.ts';
import type { AddedLanguage, CustomTexts } from '../i18n/messages.ts';
import {
  isAddress,
  isJson,
  isLanguages,
  isLogo,
  isPause,
  isServerUrl,
  isUssd,
  readEmail,
  readLocale,
} from './accepted-values.ts';
import { type Appearance, appearanceOptions } from './appearance.ts';
import {
  anyValue,
  checkOptions,
  flag,
  group,
  look,
  type Option,
  oneOf,
  option,
  type ValuesOf,
} from './option.ts';

/** An event of the checkout: `detail` describes it, `preventDefault()` prevents its default action. */
export type CheckoutEvent<Name extends CheckoutEventName = CheckoutEventName> = CustomEvent<
  CheckoutEventDetails[Name]
>;

/** The events of a checkout by the name under which an element dispatches them. */
export type CheckoutEventMap = {
  readonly [Name in CheckoutEventName as Lowercase<Name>]: CheckoutEvent<Name>;
};

type CallbackName<Name extends CheckoutEventName = CheckoutEventName> = `on${Capitalize<Name>}`;

export const callbackName = <Name extends CheckoutEventName>(name: Name): CallbackName<Name> =>
  `on${name[0]?.toUpperCase()}${name.slice(1)}` as CallbackName<Name>;

// @__NO_SIDE_EFFECTS__
const callback = <Name extends CheckoutEventName>() => anyValue<(event: CheckoutEvent<Name>) => void>();

const address = 'an http(s) URL or a path';

/**
 * Every option: its type, which values are accepted, what the error says instead, and how markup writes it. Types, attributes, properties,
 * events, validation and the reference follow from these rows.
 */
export const options = {
  /**
   * Where the checkout handler is mounted: a path of this site, or an http(s) URL. An attribute may name another origin only where
   * the page allows it (`allowOrigins`). Default: `/checkout`.
   */
  baseUrl: option<string>(
    isServerUrl,
    'a path such as "/checkout", or an http(s) URL, without query',
    'payableUrl',
  ),
  /**
   * Whether requests carry cookies, as in `fetch`. Default: `same-origin`. Use `include` when `baseUrl` is on another origin and
   * `getOrder` authorises by a cookie; that server must list the page in `allowedOrigins`.
   */
  credentials: oneOf('same-origin', 'include', 'omit'),
  /**
   * JSON for the server's `getOrder`, such as `{ orderId: '1001' }`. The server sets the price. An attribute or a property of
   * the element may be the text of a JSON object. Default: `{}`.
   */
  body: option<unknown>(isJson, 'a value that JSON can represent', 'object'),
  /**
   * Names the order where `body` does not. A page that is loaded without a network may then show the stored reference of this order,
   * and `resume` needs no `?reference=`. Online, the server says which order a page is for.
   */
  orderKey: anyValue<string>('text'),
  // `resolveOptions` parses it: its schema would bring valibot into the script tag's loader.
  /** A session that the server has created already (`createSession`). The checkout then creates none. */
  session: anyValue<Session>(),
  /** The shop's name, shown at the top. */
  merchantName: look(anyValue<string>('text')),
  /** Target of "Back to the shop": an http(s) URL, absolute or relative to the page. */
  returnUrl: option<string>(isAddress, address, 'text'),
  /** Seconds, at least 3, after which a successful payment redirects to `returnUrl`. No redirect when left out. */
  returnAfterSeconds: option<number>(isPause, 'a whole number, 3 or more', 'number'),
  /** Target of "Get help": an http(s) URL. The payment's reference is appended as `?reference=`. */
  supportUrl: option<string>(isAddress, address, 'text'),
  /** Email address for "Get help", used without `supportUrl`. The subject contains the reference. */
  supportEmail: { read: readEmail, expected: 'an e-mail address', markup: 'text' } as Option<string>,
  /**
   * A page of the shop where anybody can pay this order: an http(s) URL, absolute or relative to the page. The QR code and the shared
   * text contain this URL; without it, they contain the account details, and the QR code is offered on wide screens only.
   */
  payLink: option<string>(isAddress, address, 'payableUrl'),
  /** Lets the shopper share the payment details with another payer. */
  shareDetails: flag(),
  /** Banks whose USSD code the shopper can dial. A code that cannot express the amount is not shown. */
  ussd: option<readonly UssdBank[]>(
    isUssd,
    'a list such as [{ bank: "…", template: "*901*{amount}*{account}#" }]',
    'list',
  ),
  /** Texts that replace ours, by the keys of `Messages`: for all languages, or by language. */
  text: look(anyValue<CustomTexts>()),
  /**
   * How soon returned money arrives, such as `within 2 working days`; by language in `text`. Default: `within a few working days`, in
   * the reader's language.
   */
  refundTime: look(anyValue<string>('text')),
  /** Writes a currency by its sign, `₦12,500.00`, or by its code, `NGN 12,500.00`. Default: `symbol`. */
  currencyDisplay: look(oneOf('symbol', 'code')),
  /**
   * A language tag such as `fr`; several tags, as a list or separated by spaces, to choose from by the reader's preference and with
   * a switch; or `auto` (the default), which chooses among the reviewed and the added languages.
   */
  locale: look<string | readonly string[]>({
    read: readLocale,
    expected: '"auto", a language tag such as "fr", or several',
    markup: 'text',
  }),
  /** Languages that the merchant adds, by tag: their messages, or a function that loads them. */
  languages: look(
    option<{ readonly [tag: string]: AddedLanguage }>(
      isLanguages,
      'an object by language tag, such as { yo: { … } }',
    ),
  ),
  /** Theme, density, colours and sizes. */
  appearance: group(appearanceOptions),
  /**
   * The shop's logo, before its name: an http(s) URL, a path, or a `data:` URL of an image. With `alt`, the text that the image
   * shows, the logo replaces the name.
   */
  logo: look(
    option<string | { readonly src: string; readonly alt?: string | undefined }>(
      isLogo,
      'an http(s) URL, a path, or a data URL of an image',
      'text',
    ),
  ),
  /** The first screen replaces the placeholder. */
  onReady: callback<'ready'>(),
  /** The screen has changed. */
  onStatusChange: callback<'statusChange'>(),
  /** The shopper has copied a value to the clipboard. Default: shows a tick and "Copied". */
  onCopied: callback<'copied'>(),
  /** The shopper claims to have sent the money. Default: shows the screen `checking` and checks the payment. */
  onSent: callback<'sent'>(),
  /**
   * The payment was paid in time; once per order and page. After a reload and in other tabs, `isFirst` is false. Default: redirects to
   * `returnUrl`, if `returnAfterSeconds` is set. For the page only: deliver goods in the server's `onPaid`.
   */
  onSucceeded: callback<'succeeded'>(),
  /** A part of the amount has arrived; once per part. */
  onPartlyPaid: callback<'partlyPaid'>(),
  /** The account has expired; money may still be on its way. */
  onExpired: callback<'expired'>(),
  /** The payment was paid after its account had expired; emitted instead of `succeeded`. */
  onReceivedLate: callback<'receivedLate'>(),
  /** The payment failed, or less than the requested amount arrived. */
  onFailed: callback<'failed'>(),
  /** The money was returned to the sender. */
  onReversed: callback<'reversed'>(),
  /** An operation has failed. Default, unless the page has an `onError` callback: writes the error to the console. */
  onError: callback<'error'>(),
  /** The checkout is about to close. Default: closes it. */
  onClose: callback<'close'>(),
};

/**
 * A bank's USSD code: `{ bank: 'Bank', template: '*901*{amount}*{account}#' }`. The amount is in whole major units. A template with an
 * account number of its own is refused: its money would go elsewhere.
 */
export type UssdBank = { readonly bank: string; readonly template: string };

export type OptionName = Exclude<keyof typeof options, CallbackName>;
const names = /* @__PURE__ */ Object.keys(options);
const isCallback = (name: string): boolean => /^on[A-Z]/.test(name);
export const callbackNames = /* @__PURE__ */ names.filter(isCallback) as CallbackName[];
export const optionNames = /* @__PURE__ */ names.filter((name) => !isCallback(name)) as OptionName[];

/** The options of a checkout, all of them optional. An error that a callback throws is logged and changes nothing else. */
export type CheckoutOptions = ValuesOf<typeof options>;
export type CheckoutCallbacks = Pick<CheckoutOptions, CallbackName>;

export type ValidOptions = { readonly [Name in OptionName]: CheckoutOptions[Name] };

/**
 * Reads nothing of the page. `onLeftOut` receives the error of each option that is left out because it only concerns the look.
 *
 * @throws {CheckoutError} `invalid_options`, with what to write instead
 */
export function validateOptions(
  given: CheckoutOptions = {},
  onLeftOut: (error: CheckoutError) => void = () => {},
): ValidOptions {
  const checked: CheckoutOptions = checkOptions(given, options, onLeftOut);
  return Object.fromEntries(optionNames.map((name) => [name, checked[name]])) as ValidOptions;
}

/** The options that identify the order and its server, for calls that need no others. */
export type GivenOrder = Pick<CheckoutOptions, 'baseUrl' | 'credentials' | 'body' | 'orderKey'>;

/** @throws {CheckoutError} `invalid_options` for an option of something else */
export function validateOrder(given: GivenOrder = {}) {
  const { baseUrl, credentials, body, orderKey } = options;
  return resolveOrder(checkOptions(given, { baseUrl, credentials, body, orderKey }, () => {}));
}

export const resolveOrder = ({ baseUrl = '/checkout', body = {}, credentials, orderKey }: GivenOrder) => ({
  baseUrl: baseUrl.replace(/\/$/, ''),
  body: JSON.stringify(body),
  credentials,
  orderKey,
});

/** The options that can change while the checkout is shown. URLs are absolute. */
export type Settings = Partial<Omit<ValidOptions, keyof GivenOrder | 'session' | 'appearance' | 'logo'>> & {
  readonly theme?: Appearance['theme'];
  readonly density?: Appearance['density'];
  /** Custom properties of the card by name, such as `--checkout-accent`. */
  readonly variables?: { readonly [name: string]: string } | undefined;
  /** The shop's logo: an http(s) or `data:` URL. A logo with an `alt` text replaces the shop's name. */
  readonly logo?: { readonly src: string; readonly alt: string } | undefined;
};
