import type { en } from './en.ts';
import type { CurrencyDisplay } from './format-money.ts';

type MessageKey = keyof typeof en;

/** A merchant's policy for late or returned money. These have no default text: our own sentences take their place. */
type PolicyKey = 'latePolicy' | 'refundPolicy' | 'overpaidPolicy' | 'failedPolicy' | 'reversedPolicy';

/** The script tag's text in a browser that is too old for the widget, which has the translations. */
type LoaderKey = 'browserTooOld';

/**
 * The texts of the checkout by key. Each `{name}` is replaced by a value. `seconds`, `minutes`, `hours` and `days` are ICU plural messages,
 * with the plural forms of the language: `{count, plural, one {# second} other {# seconds}}`.
 */
export type Messages = { readonly [Key in MessageKey]: string } & {
  readonly [Key in PolicyKey | LoaderKey]?: string;
};

/** The messages of a language; missing ones are shown in English. */
export type PartialMessages = Partial<Messages>;

/** A text of the merchant, for all languages or by language tag: `{ en: '…', fr: '…' }`. */
export type CustomText = string | { readonly [tag: string]: string };
/**
 * Custom texts by message key. The script tag shows `loading`, `loadFailed`, `tryAgain` and `browserTooOld` in English until the
 * widget is loaded; only the page itself can translate those.
 */
export type CustomTexts = { readonly [Key in keyof Messages]?: CustomText };

export type TextOptions = {
  readonly text?: CustomTexts | undefined;
  readonly refundTime?: string | undefined;
  readonly currencyDisplay?: CurrencyDisplay | undefined;
};

/** A language that a merchant adds: its messages, or a function that loads them on demand. */
export type AddedLanguage = PartialMessages | (() => Promise<PartialMessages>);

export const baseOf = (tag: string): string => tag.replace(/-.*/, '').toLowerCase();

/** Returns what a table has for a language tag, in any case, or else for its language. */
export function findByTag<T>(table: { readonly [tag: string]: T } | undefined, tag: string): T | undefined {
  const byTag = new Map(Object.entries(table ?? {}).map(([key, value]) => [key.toLowerCase(), value]));
  return byTag.get(tag.toLowerCase()) ?? byTag.get(baseOf(tag));
}
