import { anyValue, group, look, type Option, oneOf, type ValuesOf } from './option.ts';

/** The custom properties, without `--checkout-`. */
export const variableNames = [
  'accent',
  'on-accent',
  'background',
  'text',
  'line',
  'success',
  'warning',
  'warning-background',
  'panel-background',
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
  theme: look(oneOf('light', 'dark', 'auto')),
  /** `compact` leaves less space between the lines. Default: `comfortable`. */
  density: look(oneOf('comfortable', 'compact')),
  /**
   * CSS values by custom property, without `--checkout-`:
   *
   * - `accent`: the colour of buttons and links. Text on it becomes black or white; as a text colour it is darkened or lightened
   *   until it is readable
   * - `on-accent`: the text colour on the accent, instead of the computed one
   * - `background`, `text`, `line`: colours of the card. Choose a `theme` that suits them
   * - `success`, `warning`: the colours of the final tick, and of warnings
   * - `panel-background`, `warning-background`: behind the account number and quiet icons; behind warning icons and the test mode
   * - `font`: a font family · `font-size`: such as `1.125rem`, which follows the reader's text size
   * - `radius`: of the corners. Buttons and panels follow in proportion, or have their own: `button-radius`, `panel-radius`, and
   *   `field-radius` for the choice of the language
   * - `border`, `shadow`: of the card, as in CSS · `max-width`: of the card · `gap`: between its parts
   */
  variables: group(
    /* @__PURE__ */ Object.fromEntries(
      variableNames.map((name) => [name, look(anyValue<string>())]),
    ) as Variables,
  ),
};

/** How a checkout looks. The page's styles can set the same custom properties: `--checkout-accent` for `accent`, and so on. */
export type Appearance = ValuesOf<typeof appearanceOptions>;
/** `auto` follows the reader's device. */
export type Theme = NonNullable<Appearance['theme']>;
