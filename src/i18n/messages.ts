import type { en } from './en.ts';

type MessageKey = keyof typeof en;

/** What a shop may say of one kind of money; `refundPolicy` is said where it says nothing. There are no words of ours. */
type PolicyKey = 'overpaidPolicy' | 'failedPolicy' | 'reversedPolicy';

/**
 * The words of the checkout by key. `{name}` is filled in. `seconds`, `minutes` and `hours` have a form for each plural of
 * the language, as ICU messages do: `{count, plural, one {# second} other {# seconds}}`.
 */
export type Messages = { readonly [Key in MessageKey]: string } & {
  readonly [Key in PolicyKey]?: string;
};

/** A merchant's own words for all languages, or by language: `{ en: '…', fr: '…' }`. */
export type OwnText = string | { readonly [tag: string]: string };
/** The script tag writes `loading`, `loadFailed` and `tryAgain` before the checkout is there; only the page itself can have them in another language. */
export type OwnTexts = { readonly [Key in keyof Messages]?: OwnText };

/** The words of a language; for what is missing there is English. */
export type Words = Partial<Messages>;

/** A language that a merchant adds: its words, or what loads them when they are needed. */
export type AddedLanguage = Words | (() => Promise<Words>);
