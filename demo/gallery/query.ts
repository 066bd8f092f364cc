import { languages } from '../../src/i18n/languages.ts';
import { type GalleryScreen, screens } from './screens.ts';
import type { Look } from './show-screen.ts';

/** All that may be asked for beside a state. */
export const choices = {
  theme: ['light', 'dark', 'auto'],
  locale: ['en', ...Object.keys(languages)],
  width: ['320', '360', '768', '1280'],
  density: ['comfortable', 'compact'],
} as const;

export type ChoiceName = keyof typeof choices;

/** What the overview shows: each of the screens in each of the looks. */
export type Query = {
  /** The beginning of the screens' names: `expired` finds its variants too. */
  readonly show: string;
  readonly chosen: { readonly [Name in ChoiceName]: readonly string[] };
};

/** Reads the overview's address: `?show=expired&theme=light&theme=dark&width=320`. */
export function readQuery(search: string): Query {
  const given = new URLSearchParams(search);
  const read = (name: ChoiceName, usual: string): readonly string[] => {
    const known = choices[name].filter((choice) => given.getAll(name).includes(choice));
    return known.length > 0 ? known : [usual];
  };
  return {
    show: given.get('show') ?? '',
    chosen: {
      theme: read('theme', 'light'),
      locale: read('locale', 'en'),
      width: read('width', '360'),
      density: read('density', 'comfortable'),
    },
  };
}

/** A screen, where it is asked for alone: `?state=expired&theme=dark&locale=ar`. */
export function readSingle(search: string): { screen: GalleryScreen; look: Look } | undefined {
  const given = new URLSearchParams(search);
  const wanted = given.get('state');
  const screen = screens.find(({ name }) => name === wanted);
  if (!screen) return undefined;
  const { theme, locale, density } = readQuery(search).chosen;
  const look = lookOf(theme[0], locale[0], density[0]);
  return { screen, look: { ...look, variables: { ...look.variables, ...readVariables(given) } } };
}

/** `?accent=gold&font=Georgia`: the custom properties of the checkout, without their first word. */
function readVariables(given: URLSearchParams): Record<string, string> {
  const names = ['accent', 'background', 'text', 'font', 'radius'];
  return Object.fromEntries(
    names.flatMap((name) => given.getAll(name).map((value) => [`--checkout-${name}`, value])),
  );
}

/** A look of what the address has said. */
export function lookOf(theme = 'auto', locale = 'en', density = 'comfortable'): Look {
  return { theme, locale, variables: density === 'compact' ? { '--checkout-gap': '0.5em' } : {} } as Look;
}

/** The address of one screen alone. */
export function singleAddress(name: string, look: Look): string {
  const { theme = 'auto', locale = 'en', variables } = look;
  const density = variables?.['--checkout-gap'] ? 'compact' : 'comfortable';
  return `?${new URLSearchParams({ state: name, theme, locale: `${locale}`, density })}`;
}
