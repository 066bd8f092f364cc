import { languages } from '../../src/i18n/languages.ts';
import { variableNames } from '../../src/options/appearance.ts';
import { type GalleryScreen, groups, screens } from './screens.ts';
import type { Look } from './show-screen.ts';

/** The choices of the overview, besides the state. */
export const choices = {
  theme: ['light', 'dark', 'auto'],
  locale: ['en', ...Object.keys(languages)],
  width: ['320', '360', '768', '1280'],
  density: ['comfortable', 'compact'],
} as const;

export type ChoiceName = keyof typeof choices;

/** What the overview shows: each screen in each look. */
export type Query = {
  readonly group: keyof typeof groups;
  readonly chosen: { readonly [Name in ChoiceName]: readonly string[] };
};

/** Parses the overview's query: `?group=paid&theme=light&theme=dark&width=320`. */
export function readQuery(search: string): Query {
  const given = new URLSearchParams(search);
  const read = (name: ChoiceName, usual: string): readonly string[] => {
    const known = choices[name].filter((choice) => given.getAll(name).includes(choice));
    return known.length > 0 ? known : [usual];
  };
  return {
    group: (Object.keys(groups) as Query['group'][]).find((name) => name === given.get('group')) ?? 'waiting',
    chosen: {
      theme: read('theme', 'auto'),
      locale: read('locale', 'en'),
      width: read('width', '360'),
      density: read('density', 'comfortable'),
    },
  };
}

/** Parses the query for a single screen: `?state=expired&theme=dark&locale=ar&accent=gold&text.sent=Done`. */
export function readSingle(search: string): { screen: GalleryScreen; look: Look } | undefined {
  const given = new URLSearchParams(search);
  const wanted = given.get('state');
  const screen = screens.find(({ name }) => name === wanted);
  if (!screen) return undefined;
  const { theme, locale, density } = readQuery(search).chosen;
  const look = lookOf(theme[0], locale[0], density[0]);
  const variables = Object.entries(readVariables(given)).map(([name, value]) => [
    `--checkout-${name}`,
    value,
  ]);
  return {
    screen,
    look: {
      ...look,
      variables: { ...look.variables, ...Object.fromEntries(variables) },
      text: readTexts(given),
    },
  };
}

type Values = { readonly [name: string]: string };

/** Parses `?accent=gold&font=Georgia` into CSS values by custom property, without `--checkout-`. */
export const readVariables = (given: URLSearchParams): Values =>
  Object.fromEntries(variableNames.flatMap((name) => given.getAll(name).map((value) => [name, value])));

const textPrefix = 'text.';

/** Parses `?text.sent=Done` into texts by message key. */
export const readTexts = (given: URLSearchParams): Values =>
  Object.fromEntries(
    [...given]
      .filter(([name]) => name.startsWith(textPrefix))
      .map(([name, value]) => [name.slice(textPrefix.length), value]),
  );

/** Writes what `readVariables` and `readTexts` read. */
export const writeValues = (variables: Values, texts: Values): Values => ({
  ...variables,
  ...Object.fromEntries(Object.entries(texts).map(([key, text]) => [textPrefix + key, text])),
});

export const lookOf = (theme = 'auto', locale = 'en', density = 'comfortable'): Look =>
  ({ theme, locale, density }) as Look;

/** Returns the query for a single screen. */
export function singleAddress(name: string, look: Look): string {
  const { theme = 'auto', locale = 'en', density = 'comfortable' } = look;
  return `?${new URLSearchParams({ state: name, theme, locale: `${locale}`, density })}`;
}
