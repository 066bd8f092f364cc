import type { Theme } from '../../../src/options/appearance.ts';
import type { CheckoutOptions } from '../../../src/options/options.ts';
import { choices, readTexts, readVariables, writeValues } from '../../gallery/query.ts';
import { screens } from '../../gallery/screens.ts';
import { type CssValues, cssValueNames } from './css-values.ts';
import { type Texts, textKeys } from './texts.ts';

export type Density = (typeof choices.density)[number];

/** What the visitor has chosen. `variables` and `text` contain only what differs from the default. */
export type Look = {
  /** The name of the gallery's screen in the preview. It is not an option of the checkout. */
  readonly screen: string;
  readonly theme: Theme;
  readonly density: Density;
  /** A language tag, or `auto`. */
  readonly locale: string;
  readonly variables: CssValues;
  readonly text: Texts;
};

export const defaultLook: Look = {
  screen: 'awaitingTransfer',
  theme: 'auto',
  density: 'comfortable',
  locale: 'auto',
  variables: {},
  text: {},
};

/** The screens to choose from: one for each state, without the gallery's presses, which replace the clipboard. */
export const previewScreens = screens.filter(({ name, press }) => !name.includes('-') && !press);

/** Parses a look: `?state=expired&theme=dark&accent=gold&text.sent=Done`. CSS values are not checked. */
export function readLook(search: string): Look {
  const given = new URLSearchParams(search);
  const wanted = (name: string): string | null => given.get(name);
  const usual = defaultLook;
  return {
    screen: previewScreens.find(({ name }) => name === wanted('state'))?.name ?? usual.screen,
    theme: choices.theme.find((theme) => theme === wanted('theme')) ?? usual.theme,
    density: choices.density.find((density) => density === wanted('density')) ?? usual.density,
    locale: choices.locale.find((tag) => tag === wanted('locale')) ?? usual.locale,
    variables: pick(readVariables(given), cssValueNames),
    text: pick(readTexts(given), textKeys),
  };
}

const pick = (values: { readonly [name: string]: string }, names: readonly string[]): object =>
  Object.fromEntries(Object.entries(values).filter(([name, value]) => names.includes(name) && value !== ''));

/** Writes a look as a query, without the defaults; empty when everything has its default. */
export function writeLook({ screen, variables, text, ...chosen }: Look): string {
  const query = { state: screen, ...chosen };
  const changed = Object.entries(query).filter(([name, value]) => value !== writtenDefaults[name]);
  const search = `${new URLSearchParams({ ...Object.fromEntries(changed), ...writeValues(variables, text) })}`;
  return search && `?${search}`;
}

const writtenDefaults: { readonly [name: string]: unknown } = { ...defaultLook, state: defaultLook.screen };

/** Returns the address of the gallery's page that shows the screen alone, in this look. The gallery has other defaults. */
export function galleryAddress({ screen, theme, density, locale, variables, text }: Look): string {
  const query = { state: screen, theme, density, locale, ...writeValues(variables, text) };
  return `./gallery.html?${new URLSearchParams(query)}`;
}

/** The checkout's options for a look. */
export type LookOptions = Pick<CheckoutOptions, 'appearance' | 'locale' | 'text'>;

/** Returns the options for a look, without those that have their default. */
export function optionsOf({ theme, density, locale, variables, text }: Look): LookOptions {
  const appearance = {
    ...(theme !== defaultLook.theme && { theme }),
    ...(density !== defaultLook.density && { density }),
    ...(hasEntries(variables) && { variables }),
  };
  return {
    ...(hasEntries(appearance) && { appearance }),
    ...(locale !== defaultLook.locale && { locale }),
    ...(hasEntries(text) && { text }),
  };
}

const hasEntries = (values: object): boolean => Object.keys(values).length > 0;
