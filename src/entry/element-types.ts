import type { Appearance } from '../options/appearance.ts';
import type { CheckoutEventMap, CheckoutOptions, OptionName } from '../options/options.ts';

/** The properties of a `<transfer-checkout>`: every option. A property overrides its attribute. */
export type ElementProperties = { -readonly [Name in OptionName]: CheckoutOptions[Name] };

export type CheckoutEventTarget = Record<
  'addEventListener' | 'removeEventListener',
  <Name extends keyof CheckoutEventMap>(
    type: Name,
    listener: Listener<Name>,
    options?: boolean | AddEventListenerOptions,
  ) => void
>;

/** The attributes that the markup of frameworks accepts, which set a property where the element has one. */
export type TransferCheckoutAttributes = {
  readonly [Name in OptionName]?: CheckoutOptions[Name];
} & { readonly [Name in OptionName as KebabCase<Name>]?: string | number | boolean | undefined } & Pick<
    Appearance,
    'theme' | 'density'
  > & {
    readonly modal?: boolean | undefined;
    readonly reopen?: 'false' | undefined;
  };

/** The listeners that JSX and Svelte accept, such as `onsucceeded`. */
export type TransferCheckoutListeners = {
  readonly [Name in keyof CheckoutEventMap as `on${Name}`]?: Listener<Name> | undefined;
};

/** The props behind the listeners of Vue's templates: `onSucceeded` for `@succeeded`. */
export type TransferCheckoutEmits = {
  readonly [Name in keyof CheckoutEventMap as `on${Capitalize<Name>}`]?: Listener<Name> | undefined;
};

type Listener<Name extends keyof CheckoutEventMap> = (event: CheckoutEventMap[Name]) => void;

/** `merchant-name` for `merchantName`. A name of one word is the same in both, and is left out. */
type KebabCase<Name extends string> = Hyphenated<Name> extends Name ? never : Hyphenated<Name>;

type Hyphenated<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `-${Lowercase<First>}`}${Hyphenated<Rest>}`
  : Name;
