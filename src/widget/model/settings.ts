import type { Appearance } from '../../options/options.ts';
import type { GivenOrder } from '../../options/order-options.ts';
import type { ValidOptions } from '../../options/validate-options.ts';

/** The options that can change while the checkout is shown. URLs are absolute. */
export type Settings = Partial<Omit<ValidOptions, keyof GivenOrder | 'session' | 'appearance' | 'logo'>> & {
  readonly theme?: Appearance['theme'];
  readonly density?: Appearance['density'];
  /** Custom properties of the card by name, such as `--checkout-accent`. */
  readonly variables?: { readonly [name: string]: string } | undefined;
  /** The shop's logo: an http(s) or `data:` URL. A logo with an `alt` text replaces the shop's name. */
  readonly logo?: { readonly src: string; readonly alt: string } | undefined;
};
