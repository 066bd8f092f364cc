import type { Session } from '../../contract/index.ts';
import type { CheckoutEventDetails, CheckoutEventName } from '../../core/index.ts';
import type { ShopOptions } from '../../model/index.ts';

/** What a page hears: `detail` says what happened, `preventDefault()` stops what would follow by itself. */
export type CheckoutEvent<Name extends CheckoutEventName = CheckoutEventName> = CustomEvent<
  CheckoutEventDetails[Name]
>;

/** A callback for each event. One that throws is reported, and stops nothing. */
export type CheckoutCallbacks = {
  readonly [Name in CheckoutEventName as `on${Capitalize<Name>}`]?:
    | ((event: CheckoutEvent<Name>) => void)
    | undefined;
};

/** What a merchant may say about a checkout. All of it may be left out. */
export type CheckoutOptions = CheckoutCallbacks &
  ShopOptions & {
    /** Where the checkout handler is mounted: a path of this site, or an http(s) URL. `/checkout` when left out. */
    readonly baseUrl?: string | undefined;
    /**
     * Whether cookies go along, as `fetch` calls it. `same-origin` when left out: to a `baseUrl` of the page's own origin. For a
     * `createPayment` that authorises by a cookie on another origin, `include`; its server has to `allowCredentials`.
     */
    readonly credentials?: RequestCredentials | undefined;
    /** JSON for the server's `createPayment`, such as `{ orderId: '1001' }`. The price is the server's to say. */
    readonly body?: unknown;
    /**
     * Names the order where `body` does not: a reload finds the order's payment again, and another order never does. Where
     * neither names it, the server is always asked first.
     */
    readonly orderKey?: string | undefined;
    /** A session that the server has made already (`createSession`): nothing is posted. */
    readonly session?: Session | undefined;
    /** How it looks: theme, density, colours and measures. */
    readonly appearance?: Appearance | undefined;
    /**
     * The shop's sign, left of its name: an http(s) URL, a path, or a `data:` URL of an image. With `alt`, the words that it
     * shows, it stands for the name.
     */
    readonly logo?: string | { readonly src: string; readonly alt?: string | undefined } | undefined;
  };

/** `auto` is as the reader's device is set. */
export type Theme = 'light' | 'dark' | 'auto';

/** How a checkout looks. The page can set the same as custom properties: `--checkout-accent` for `accent`, and so on. */
export type Appearance = {
  /** `auto` (as the reader's device is set) when left out. */
  readonly theme?: Theme | undefined;
  /** `compact` leaves less room between the lines. */
  readonly density?: 'comfortable' | 'compact' | undefined;
  /**
   * CSS values, by the names of the custom properties without `--checkout-`.
   *
   * - `accent`: the colour of buttons and links. Any will do: what stands on it is black or white, and as text it gets as
   *   dark or light as it has to be to be read
   * - `on-accent`: the colour on the accent, where it is not to be computed
   * - `background`, `text`, `line`: colours of the card. Choose the `theme` that they are like
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

/** All options but the callbacks. */
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
  'locale',
  'languages',
  'appearance',
  'logo',
] as const satisfies readonly (keyof CheckoutOptions)[];

/** `onPartlyPaid` of `partlyPaid`. */
export const callbackName = <Name extends CheckoutEventName>(name: Name): `on${Capitalize<Name>}` =>
  `on${name[0]?.toUpperCase()}${name.slice(1)}` as `on${Capitalize<Name>}`;
