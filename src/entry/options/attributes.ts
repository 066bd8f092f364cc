import type { Markup, OptionTable } from '../../options/option.ts';
import {
  appearanceOptions,
  type CheckoutOptions,
  type OptionName,
  optionNames,
  options,
} from '../../options/options.ts';
import { expectedUrl } from './allowed-origins.ts';

const writtenIn = (table: OptionTable) =>
  Object.entries(table).flatMap(([name, { markup }]) => (markup ? [{ name, markup }] : []));
const written = writtenIn(options);
const writtenAppearance = writtenIn(appearanceOptions);

/** The options that can be written as attributes. */
export const attributeOptions = [...written, ...writtenAppearance].map(({ name }) => name);

/** Returns the attribute of an option: `merchant-name` for `merchantName`. A button's has `data-` before it. */
export const attributeName = (option: string): string =>
  option.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/**
 * Reads options from attributes; `read` returns the attribute of an option. The mount validates them like any others. A value
 * that markup may not have becomes a symbol: its description says what the option must be, and the mount refuses it with that.
 */
export function readAttributes(read: (option: string) => string | undefined): CheckoutOptions {
  const readRows = (rows: typeof written): object =>
    Object.fromEntries(
      rows.map(({ name, markup }) => {
        const text = read(name);
        return [name, text === undefined ? undefined : parsers[markup](text)];
      }),
    );
  return { ...readRows(written), appearance: readRows(writtenAppearance) };
}

const parsers: { readonly [Form in Markup]: (text: string) => unknown } = {
  text: (text) => text,
  payableUrl(text) {
    const expected = expectedUrl(text);
    return expected ? Symbol(expected) : text;
  },
  number: Number,
  flag: () => true,
  list: (text) => (text ? parseJson(text, true) : undefined),
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

/** Reads the options of a `<transfer-checkout>`: its attributes, and its properties, which override them. */
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

/** Reads the options of a button, whose attributes have `data-` before their names. */
export const readButton = (button: Element): CheckoutOptions =>
  readAttributes((option) => button.getAttribute(`data-${attributeName(option)}`) ?? undefined);

/** Returns the attributes from which `readAttributes` reads these options. Options without an attribute are left out. */
export const writeAttributes = (given: CheckoutOptions): Record<string, unknown> =>
  Object.fromEntries(
    written.map(({ name, markup }) => [attributeName(name), write(given[name as OptionName], markup)]),
  );

function write(value: unknown, markup: Markup): unknown {
  if (markup === 'list' || markup === 'object') return value && JSON.stringify(value);
  return Array.isArray(value) ? value.join(' ') : value;
}
