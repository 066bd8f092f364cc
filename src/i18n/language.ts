import { loadWords, reviewedTags } from './languages.ts';
import type { AddedLanguage, Words } from './messages.ts';

export type LanguageOptions = {
  /**
   * A language tag such as `fr`; several, as a list or with spaces between them, of which the reader's is chosen; or `auto`,
   * which chooses among those that somebody has reviewed and those that are added.
   */
  readonly locale?: string | readonly string[] | undefined;
  /** Languages of the merchant's own, by tag: their words, or a function that loads them. */
  readonly languages?: { readonly [tag: string]: AddedLanguage } | undefined;
};

const baseOf = (tag: string): string => tag.replace(/-.*/, '').toLowerCase();

/** The tag to speak, for a reader who likes `preferred` best first; English where nothing fits. */
export function chooseLanguage(
  { locale = 'auto', languages: added = {} }: LanguageOptions,
  preferred: readonly string[],
): string {
  const named = typeof locale === 'string' ? locale.split(' ') : locale;
  if (locale === named[0] && locale !== 'auto') return locale;
  const tags = locale === 'auto' ? [...reviewedTags, ...Object.keys(added)] : named;
  const found = preferred.flatMap((wish) => [
    ...tags.filter((tag) => tag.toLowerCase() === wish.toLowerCase()),
    ...tags.filter((tag) => baseOf(tag) === baseOf(wish)),
  ]);
  return found[0] ?? 'en';
}

/** The language to speak, with its words: the merchant's, or ours; English where there are none. */
export async function loadLanguage(
  options: LanguageOptions,
  preferred: readonly string[],
): Promise<{ tag: string; words: Words }> {
  const tag = chooseLanguage(options, preferred);
  const added = options.languages?.[tag] ?? options.languages?.[baseOf(tag)];
  if (added) return { tag, words: typeof added === 'function' ? await added() : added };
  if (baseOf(tag) === 'en') return { tag, words: {} };
  const words = await loadWords(baseOf(tag));
  return words ? { tag, words } : { tag: 'en', words: {} };
}
