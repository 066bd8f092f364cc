import { CheckoutError } from '../contract/index.ts';
import { isAddress } from '../options/accepted-values.ts';
import type { Appearance } from '../options/appearance.ts';
import type { Settings } from '../options/options.ts';
import { type CheckoutOptions, type OptionName, validateOptions } from '../options/options.ts';
import { settingsOf } from './resolve-options.ts';

/** The options that HTML cannot have, or not in the same form. */
export const unrendered = ['session', 'appearance', 'logo'] as const satisfies readonly OptionName[];

/** The options that become attributes or properties of the element. */
export type ElementOptions = Pick<CheckoutOptions, Exclude<OptionName, (typeof unrendered)[number]>> & {
  /** The shop's logo; see `CheckoutOptions`. */
  readonly logo?: string | undefined;
};

/** The checkout options that a server can render: those that `<transfer-checkout>` accepts as attributes, `text` and `languages`. */
export type RenderOptions = ElementOptions & {
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

/** Returns the settings of the rendered card. The server does not know the page's address, so relative URLs stay relative. */
export function renderedSettings(element: ElementOptions, appearance: Appearance): Settings {
  // biome-ignore lint/suspicious/noConsole: a mistake in the look must not cost the account, and the developer needs to see it
  const options = validateOptions({ ...element, appearance }, (error) => console.error(error));
  const { returnUrl } = options;
  // The help link adds the reference as a query, which needs an absolute URL.
  return { ...settingsOf(options), variables: {}, returnUrl, payLink: undefined };
}

export function checkAddress(name: string, address: string | undefined): string | undefined {
  if (isAddress(address)) return address;
  throw new CheckoutError('invalid_options', `The option ${name} must be an http(s) URL or a path.`);
}
