import type { en } from './en.ts';
import type { enMore } from './en-more.ts';

type MessageKey = keyof typeof en | keyof typeof enMore;

/**
 * The words of the checkout by key. `{name}` is filled in. `seconds`, `minutes` and `hours` have a form for each plural of
 * the language, as ICU messages do: `{count, plural, one {# second} other {# seconds}}`.
 */
export type Messages = { readonly [Key in MessageKey]: string };

/** A merchant's own words for all languages, or by language: `{ en: '…', fr: '…' }`. */
export type OwnText = string | { readonly [tag: string]: string };
/** `loadFailed` is what the script tag writes when the checkout cannot be loaded; only the page itself can have it in another language. */
export type OwnTexts = { readonly [Key in MessageKey | 'loadFailed']?: OwnText };

/** The words of a language; for what is missing there is English. */
export type Words = Partial<Messages>;

/** A language that a merchant adds: its words, or what loads them when they are needed. */
export type AddedLanguage = Words | (() => Promise<Words>);
