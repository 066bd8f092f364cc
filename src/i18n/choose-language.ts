import { findLanguage, loadMessages, reviewedTags } from './languages.ts';
import { type AddedLanguage, baseOf, findByTag, type PartialMessages } from './messages.ts';

export type LanguageOptions = {
  readonly locale?: string | readonly string[] | undefined;
  readonly languages?: { readonly [tag: string]: AddedLanguage } | undefined;
};

export type LoadedLanguage = { readonly tag: string; readonly messages: PartialMessages };
/** Needs no messages: English completes every language. */
export const english: LoadedLanguage = { tag: 'en', messages: {} };

function tagsOf({ locale = 'auto', languages: added = {} }: LanguageOptions): readonly string[] {
  if (locale === 'auto') return [...new Set([...reviewedTags, ...Object.keys(added)])];
  return typeof locale === 'string' ? locale.split(' ') : locale;
}

export const offeredLanguages = (options: LanguageOptions): readonly string[] =>
  [...new Set(tagsOf(options))].filter(
    (tag) => baseOf(tag) === 'en' || findLanguage(baseOf(tag)) || findByTag(options.languages, tag),
  );

export function languageName(tag: string): string {
  return findLanguage(tag)?.name ?? new Intl.DisplayNames([tag], { type: 'language' }).of(tag) ?? tag;
}

export function chooseLanguage(
  { locale = 'auto', languages: added = {} }: LanguageOptions,
  preferred: readonly string[],
): string {
  const tags = tagsOf({ locale, languages: added });
  if (locale === tags[0] && locale !== 'auto') return locale;
  const matches = preferred.flatMap((wish) => [
    ...tags.filter((tag) => tag.toLowerCase() === wish.toLowerCase()),
    ...tags.filter((tag) => baseOf(tag) === baseOf(wish)),
  ]);
  return matches[0] ?? 'en';
}

export const isEnglishOnly = ({ locale = 'auto', languages }: LanguageOptions): boolean =>
  !languages && (locale === 'en' || (locale === 'auto' && reviewedTags.length === 1));

/** Chooses a language and loads its messages: the merchant's, or ours, or else English. @throws {CheckoutError} `load_failed` */
export async function loadLanguage(
  options: LanguageOptions,
  preferred: readonly string[],
): Promise<LoadedLanguage> {
  const tag = chooseLanguage(options, preferred);
  const added = findByTag(options.languages, tag);
  if (added) return { tag, messages: typeof added === 'function' ? await added() : added };
  if (baseOf(tag) === 'en') return { tag, messages: {} };
  const messages = await loadMessages(baseOf(tag));
  return messages ? { tag, messages } : english;
}
