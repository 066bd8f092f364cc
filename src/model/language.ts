import type { AddedLanguage, Words } from '../locales/messages.ts';
import { reviewedTags } from '../locales/reviewed-tags.ts';

export type LanguageOptions = {
  /**
   * A language tag such as `fr`; several, of which the reader's is chosen; or `auto`, which chooses among those that
   * somebody has reviewed and those that are added.
   */
  readonly locale?: string | readonly string[] | undefined;
  /** Languages of the merchant's own, by tag: their words, or a function that loads them. */
  readonly languages?: { readonly [tag: string]: AddedLanguage } | undefined;
};

const baseOf = (tag: string): string => tag.replace(/-.*/, '').toLowerCase();

/** The tag to speak, for a reader who likes `preferred` best first; English where nothing fits. */
export function chooseLanguage(
  { locale = 'auto', languages = {} }: LanguageOptions,
  preferred: readonly string[],
): string {
  if (typeof locale === 'string' && locale !== 'auto') return locale;
  const tags = locale === 'auto' ? [...reviewedTags, ...Object.keys(languages)] : locale;
  const found = preferred.flatMap((wish) => [
    ...tags.filter((tag) => tag.toLowerCase() === wish.toLowerCase()),
    ...tags.filter((tag) => baseOf(tag) === baseOf(wish)),
  ]);
  return found[0] ?? 'en';
}

/** True for a language whose words are there already. */
export const isEnglish = (tag: string, { languages }: LanguageOptions): boolean =>
  baseOf(tag) === 'en' && !languages?.[tag];

/** The words of a language: the merchant's, or ours; `undefined` when there are none. */
export async function loadWords(tag: string, { languages }: LanguageOptions): Promise<Words | undefined> {
  const added = languages?.[tag] ?? languages?.[baseOf(tag)];
  if (added) return typeof added === 'function' ? added() : added;
  const ours = (await import('../locales/languages.ts')).languages;
  return ours[baseOf(tag)]?.load();
}
