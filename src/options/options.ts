import type { Session } from '../contract/session.ts';
import type { AddedLanguage, CustomTexts } from '../i18n/messages.ts';
import { isAddress, isEmail, isLanguages, isLocale, isLogo, isPause, isUssd } from './accepted-values.ts';
import type { CheckoutCallbacks } from './callbacks.ts';
import { anyValue, group, type Option, oneOf, option, type ValuesOf } from './option.ts';
import { orderOptions } from './order-options.ts';

/** The custom properties, without `--checkout-`. */
export const variableNames = [
  'accent',
  'on-accent',
  'background',
  'text',
  'line',
  'success',
  'warning',
  'font',
  'font-size',
  'radius',
  'button-radius',
  'field-radius',
  'panel-radius',
  'border',
  'shadow',
  'max-width',
  'gap',
] as const;
type Variables = { readonly [name in (typeof variableNames)[number]]: Option<string> };

export const appearanceOptions = {
  /** Default: `auto`, which follows the reader's device. */
  theme: oneOf('light', 'dark', 'auto'),
  /** `compact` leaves less space between the lines. Default: `comfortable`. */
  density: oneOf('comfortable', 'compact'),
  /**
   * CSS values by custom property, without `--checkout-`:
   *
   * - `accent`: the colour of buttons and links. Text on it becomes black or white; as a text colour it is darkened or lightened
   *   until it is readable
   * - `on-accent`: the text colour on the accent, instead of the computed one
   * - `background`, `text`, `line`: colours of the card. Choose a `theme` that suits them
   * - `success`, `warning`: the colours of the final tick, and of warnings
   * - `font`: a font family · `font-size`: such as `1.125rem`, which follows the reader's text size
   * - `radius`: of the corners. Buttons and panels follow in proportion, or have their own: `button-radius`, `panel-radius`, and
   *   `field-radius` for the choice of the language
   * - `border`, `shadow`: of the card, as in CSS · `max-width`: of the card · `gap`: between its parts
   */
  variables: group(Object.fromEntries(variableNames.map((name) => [name, anyValue<string>()])) as Variables),
};

const address = 'an http(s) URL or a path';

/**
 * Every option except the callbacks: its type, which values are accepted, what the error says instead, and how markup writes it. Types,
 * attributes, properties, validation and the reference follow from these rows.
 */
export const options = {
  ...orderOptions,
  // `resolveOptions` parses it: its schema would bring valibot into the script tag's loader.
  /** A session that the server has created already (`createSession`). The checkout then creates none. */
  session: anyValue<Session>(),
  /** The shop's name, shown at the top. */
  merchantName: anyValue<string>('text'),
  /** Target of "Back to the shop": an http(s) URL, absolute or relative to the page. */
  returnUrl: option<string>(isAddress, address, 'text'),
  /** Seconds, at least 3, after which a successful payment redirects to `returnUrl`. No redirect when left out. */
  returnAfterSeconds: option<number>(isPause, 'a whole number, 3 or more', 'number'),
  /** Target of "Get help": an http(s) URL. The payment's reference is appended as `?reference=`. */
  supportUrl: option<string>(isAddress, address, 'text'),
  /** Email address for "Get help", used without `supportUrl`. The subject contains the reference. */
  supportEmail: option<string>(isEmail, 'an e-mail address', 'text'),
  /**
   * A page of the shop where anybody can pay this order: an http(s) URL, absolute or relative to the page. The QR code and the shared
   * text contain this URL; without it, they contain the account details, and the QR code is offered on wide screens only.
   */
  payLink: option<string>(isAddress, address, 'payableUrl'),
  /** Lets the shopper share the payment details with another payer. */
  shareDetails: anyValue<boolean>('flag'),
  /** Banks whose USSD code the shopper can dial. A code that cannot express the amount is not shown. */
  ussd: option<readonly UssdBank[]>(
    isUssd,
    'a list such as [{ bank: "…", template: "*901*{amount}*{account}#" }]',
    'list',
  ),
  /** Texts that replace ours, by the keys of `Messages`: for all languages, or by language. */
  text: anyValue<CustomTexts>(),
  /**
   * How soon returned money arrives, such as `within 2 working days`; by language in `text`. Default: `within a few working days`, in
   * the reader's language.
   */
  refundTime: anyValue<string>('text'),
  /** Writes a currency by its sign, `₦12,500.00`, or by its code, `NGN 12,500.00`. Default: `symbol`. */
  currencyDisplay: oneOf('symbol', 'code'),
  /**
   * A language tag such as `fr`; several tags, as a list or separated by spaces, to choose from by the reader's preference and with
   * a switch; or `auto` (the default), which chooses among the reviewed and the added languages.
   */
  locale: option<string | readonly string[]>(
    isLocale,
    '"auto", a language tag such as "fr", or several',
    'text',
  ),
  /** Languages that the merchant adds, by tag: their messages, or a function that loads them. */
  languages: option<{ readonly [tag: string]: AddedLanguage }>(
    isLanguages,
    'an object by language tag, such as { yo: { … } }',
  ),
  /** Theme, density, colours and sizes. */
  appearance: group(appearanceOptions),
  /**
   * The shop's logo, before its name: an http(s) URL, a path, or a `data:` URL of an image. With `alt`, the text that the image
   * shows, the logo replaces the name.
   */
  logo: option<string | { readonly src: string; readonly alt?: string | undefined }>(
    isLogo,
    'an http(s) URL, a path, or a data URL of an image',
    'text',
  ),
};

/**
 * A bank's USSD code: `{ bank: 'Bank', template: '*901*{amount}*{account}#' }`. The amount is in whole major units. A template with an
 * account number of its own is refused: its money would go elsewhere.
 */
export type UssdBank = { readonly bank: string; readonly template: string };

export type OptionName = keyof typeof options;
export const optionNames = Object.keys(options) as OptionName[];

/** How a checkout looks. The page's styles can set the same custom properties: `--checkout-accent` for `accent`, and so on. */
export type Appearance = ValuesOf<typeof appearanceOptions>;
/** `auto` follows the reader's device. */
export type Theme = NonNullable<Appearance['theme']>;

/** The options of a checkout, all of them optional. */
export type CheckoutOptions = CheckoutCallbacks & ValuesOf<typeof options>;
