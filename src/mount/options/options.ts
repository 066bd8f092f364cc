import type { Session } from '../../contract/index.ts';
import type { CheckoutEventDetails, CheckoutEventName } from '../../core/index.ts';
import type { ShopOptions, Theme } from '../../model/settings.ts';

export type { Theme };

/** An event of the checkout: `detail` describes it, `preventDefault()` prevents its default action. */
export type CheckoutEvent<Name extends CheckoutEventName = CheckoutEventName> = CustomEvent<
  CheckoutEventDetails[Name]
>;

/** A callback for each event. An error that it throws is logged and changes nothing else. */
export type CheckoutCallbacks = {
  readonly [Name in CheckoutEventName as `on${Capitalize<Name>}`]?:
    | ((event: CheckoutEvent<Name>) => void)
    | undefined;
};

/** The options of a checkout, all of them optional. */
export type CheckoutOptions = CheckoutCallbacks &
  ShopOptions & {
    /** Where the checkout handler is mounted: a path of this site, or an http(s) URL. Default: `/checkout`. */
    readonly baseUrl?: string | undefined;
    /**
     * Whether requests carry cookies, as in `fetch`. Default: `same-origin`. Use `include` when `baseUrl` is on another origin and
     * `createPayment` authorises by a cookie; that server must set `allowCredentials`.
     */
    readonly credentials?: RequestCredentials | undefined;
    /** JSON for the server's `createPayment`, such as `{ orderId: '1001' }`. The server sets the price. Default: `{}`. */
    readonly body?: unknown;
    /**
     * Names the order where `body` does not. A page that is loaded without a network may then show the stored reference of this order,
     * and `resume` needs no `?reference=`. Online, the server says which order a page is for.
     */
    readonly orderKey?: string | undefined;
    /** A session that the server has created already (`createSession`). The checkout then creates none. */
    readonly session?: Session | undefined;
    /** Theme, density, colours and sizes. */
    readonly appearance?: Appearance | undefined;
    /**
     * The shop's logo, before its name: an http(s) URL, a path, or a `data:` URL of an image. With `alt`, the text that the image
     * shows, the logo replaces the name.
     */
    readonly logo?: string | { readonly src: string; readonly alt?: string | undefined } | undefined;
  };

/** How a checkout looks. The page's styles can set the same custom properties: `--checkout-accent` for `accent`, and so on. */
export type Appearance = {
  /** Default: `auto`, which follows the reader's device. */
  readonly theme?: Theme | undefined;
  /** `compact` leaves less space between the lines. Default: `comfortable`. */
  readonly density?: 'comfortable' | 'compact' | undefined;
  /**
   * CSS values by custom property, without `--checkout-`:
   *
   * - `accent`: the colour of buttons and links. Text on it becomes black or white; as a text colour it is darkened or lightened
   *   until it is readable
   * - `on-accent`: the text colour on the accent, instead of the computed one
   * - `background`, `text`, `line`: colours of the card. Choose a `theme` that suits them
   * - `font`: a font family · `radius`: of the corners · `max-width`: of the card · `gap`: between its parts
   */
  readonly variables?: { readonly [name in VariableName]?: string } | undefined;
};

/** The custom properties, without `--checkout-`. */
export const variableNames = [
  'accent',
  'on-accent',
  'background',
  'text',
  'line',
  'font',
  'radius',
  'max-width',
  'gap',
] as const;
type VariableName = (typeof variableNames)[number];

/** All options except the callbacks. */
export const optionNames = [
  'baseUrl',
  'credentials',
  'body',
  'orderKey',
  'session',
  'merchantName',
  'returnUrl',
  'returnAfterSeconds',
  'supportUrl',
  'supportEmail',
  'payLink',
  'shareDetails',
  'ussd',
  'text',
  'currencyDisplay',
  'locale',
  'languages',
  'appearance',
  'logo',
] as const satisfies readonly (keyof CheckoutOptions)[];

/** Returns the callback of an event: `onPartlyPaid` for `partlyPaid`. */
export const callbackName = <Name extends CheckoutEventName>(name: Name): `on${Capitalize<Name>}` =>
  `on${name[0]?.toUpperCase()}${name.slice(1)}` as `on${Capitalize<Name>}`;
