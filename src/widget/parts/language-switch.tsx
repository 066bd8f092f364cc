import type { JSX } from 'preact';
import { languageName, offeredLanguages } from '../../i18n/choose-language.ts';
import { useCheckout } from '../context.tsx';
import { notTranslated } from './text.tsx';

/** Lets the shopper choose among the languages that the merchant allows; nothing where there is no choice. */
export function LanguageSwitch(): JSX.Element | null {
  const { model, translator } = useCheckout();
  const { locale, text } = translator.value;
  const offered = offeredLanguages(model.settings.value);
  const { selectLanguage } = model;
  if (!selectLanguage || offered.length < 2) return null;
  // English is shown where no allowed language fits the reader, or none could be loaded.
  const tags = offered.includes(locale) ? offered : [locale, ...offered];
  return (
    <select
      class="language"
      part="language"
      {...notTranslated}
      aria-label={text('language')}
      value={locale}
      onChange={({ currentTarget }) => selectLanguage(currentTarget.value)}
    >
      {tags.map((tag) => (
        <option key={tag} value={tag} lang={tag}>
          {languageName(tag)}
        </option>
      ))}
    </select>
  );
}
