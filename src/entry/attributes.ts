import { appearanceOptions } from '../options/appearance.ts';
import { isOff, type Markup, type OptionTable } from '../options/option.ts';
import { type CheckoutOptions, type OptionName, optionNames, options } from '../options/options.ts';
import { pageBase } from '../widget/dom/page.ts';

const writtenIn = (table: OptionTable) =>
  Object.entries(table).flatMap(([name, { markup }]) => (markup ? [{ name, markup }] : []));
const written = writtenIn(options);
const writtenAppearance = writtenIn(appearanceOptions);

export const attributeOptions = [...written, ...writtenAppearance].map(({ name }) => name);

export const attributeName = (option: string): string =>
  option.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** Reads options from attributes. A value that markup may not have becomes a symbol, which says what the option must be. */
export function readAttributes(read: (option: string) => string | undefined): CheckoutOptions {
  const readRows = (rows: typeof written): object =>
    Object.fromEntries(
      rows.map(({ name, markup }) => {
        const text = read(name);
        const isLeftOut = text === undefined || (text.trim() === '' && markup !== 'flag');
        return [name, isLeftOut ? undefined : parsers[markup](text)];
      }),
    );
  return { ...readRows(written), appearance: readRows(writtenAppearance) };
}

const parsers: { readonly [Form in Markup]: (text: string) => unknown } = {
  text: (text) => text,
  payableUrl: parsePayableUrl,
  number: Number,
  flag: (text) => !isOff(text),
  list: (text) => parseJson(text, true),
  object: (text) => parseJson(text, false),
};

function parseJson(text: string, isList: boolean): unknown {
  try {
    const json: unknown = JSON.parse(text);
    if (json && typeof json === 'object' && Array.isArray(json) === isList) return json;
  } catch {
    // It is refused below.
  }
  return Symbol(`a JSON ${isList ? 'list' : 'object'}`);
}

/** Returns the value of a property of the element. Frameworks set the JSON of its attribute as a property, too. */
function parseProperty(name: OptionName, value: unknown): unknown {
  const { markup } = options[name];
  const isJson = typeof value === 'string' && (markup === 'list' || markup === 'object');
  return isJson ? parsers[markup](value) : value;
}

export const readElement = (element: Element): CheckoutOptions => {
  const properties = optionNames
    .map((name) => [name, parseProperty(name, Reflect.get(element, name))] as const)
    // Frameworks reset a property to null.
    .filter(([, value]) => value !== undefined && value !== null);
  return {
    ...readAttributes((option) => element.getAttribute(attributeName(option)) ?? undefined),
    ...Object.fromEntries(properties),
  };
};

export const readButton = (button: Element): CheckoutOptions =>
  readAttributes((option) => button.getAttribute(`data-${attributeName(option)}`) ?? undefined);

export const hasFlag = (element: Element, name: string): boolean =>
  element.hasAttribute(name) && !isSetOff(element, name);

export const isSetOff = (element: Element, name: string): boolean => isOff(element.getAttribute(name) ?? '');

/** Returns the attributes from which `readAttributes` reads these options. Options without an attribute are left out. */
export const writeAttributes = (given: CheckoutOptions): Record<string, unknown> =>
  Object.fromEntries(
    written.map(({ name, markup }) => [attributeName(name), write(given[name as OptionName], markup)]),
  );

function write(value: unknown, markup: Markup): unknown {
  if (markup === 'list' || markup === 'object') return value && JSON.stringify(value);
  return Array.isArray(value) ? value.join(' ') : value;
}

const allowed = new Set<string>();

/**
 * Lets the page's markup choose checkout servers and payment pages of these origins, such as `https://pay.shop.example`, by `base-url` and
 * `pay-link` of an element, or with `data-` before them of a button. Otherwise markup can choose only the page's own origin, because
 * injected markup could show an attacker's account or page. Options that a script sets need no permission. Call it before the elements are on the page.
 */
export function allowOrigins(origins: Iterable<string>): void {
  for (const origin of origins) allowed.add(origin);
}

function parsePayableUrl(url: string): string | symbol {
  try {
    const base = pageBase();
    // The parser decides where a URL leads: it reads `//x`, `\\x` and a tab between the slashes alike.
    const { protocol, origin } = new URL(url, base);
    if (!/^http/.test(protocol) || origin === new URL(base).origin || allowed.has(origin)) return url;
    return Symbol(
      `a path of this site; to allow ${origin} in markup, write it in data-allowed-origins on the script tag, or call allowOrigins()`,
    );
  } catch {
    // The option refuses what is no URL.
    return url;
  }
}
