import type { LanguageOptions } from '../i18n/choose-language.ts';
import type { TextOptions } from '../i18n/messages.ts';

/**
 * A bank's USSD code: `{ bank: 'Bank', template: '*901*{amount}*{account}#' }`. The amount is in whole major units. A template with an
 * account number of its own is refused: its money would go elsewhere.
 */
export type UssdBank = { readonly bank: string; readonly template: string };

/** The shop's details and the features of the checkout. Validated URLs are absolute. */
export type ShopOptions = LanguageOptions &
  TextOptions & {
    /** The shop's name, shown at the top. */
    readonly merchantName?: string | undefined;
    /** Target of "Back to the shop": an http(s) URL, absolute or relative to the page. */
    readonly returnUrl?: string | undefined;
    /** Seconds, at least 3, after which a successful payment redirects to `returnUrl`. No redirect when left out. */
    readonly returnAfterSeconds?: number | undefined;
    /** Target of "Get help": an http(s) URL. The payment's reference is appended as `?reference=`. */
    readonly supportUrl?: string | undefined;
    /** Email address for "Get help", used without `supportUrl`. The subject contains the reference. */
    readonly supportEmail?: string | undefined;
    /**
     * A page of the shop where anybody can pay this order: an http(s) URL, absolute or relative to the page. The QR code and the shared
     * text contain this URL; without it, they contain the account details, and the QR code is offered on wide screens only.
     */
    readonly payLink?: string | undefined;
    /** Lets the shopper share the payment details with another payer. */
    readonly shareDetails?: boolean | undefined;
    /** Banks whose USSD code the shopper can dial. A code that cannot express the amount is not shown. */
    readonly ussd?: readonly UssdBank[] | undefined;
  };

/** `auto` follows the reader's device. */
export type Theme = 'light' | 'dark' | 'auto';

/** The shop's options and the appearance of the checkout. They can change while the checkout is shown. */
export type Settings = ShopOptions & {
  readonly theme?: Theme | undefined;
  /** Custom properties of the card by name, such as `--checkout-accent`. */
  readonly variables?: { readonly [name: string]: string } | undefined;
  /** The shop's logo: an http(s) or `data:` URL. A logo with an `alt` text replaces the shop's name. */
  readonly logo?: { readonly src: string; readonly alt: string } | undefined;
};
