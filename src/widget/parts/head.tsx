import type { JSX } from 'preact';
import { languageName, offeredLanguages } from '../../i18n/choose-language.ts';
import { useCheckout } from '../context.tsx';
import { notTranslated, Text } from './text.tsx';

export function ShopName(): JSX.Element {
  const { logo, merchantName } = useCheckout().model.settings.value;
  return (
    <>
      {logo && <img class="logo" part="logo" height="28" src={logo.src} alt={logo.alt} />}
      {!logo?.alt && (
        <b>
          <bdi {...notTranslated}>
            <Text>{merchantName ?? ''}</Text>
          </bdi>
        </b>
      )}
    </>
  );
}

export function CloseButton({ onClose }: { onClose: () => void }): JSX.Element {
  const { text } = useCheckout().translator.value;
  return (
    <button
      type="button"
      class="close"
      part="close"
      data-action="close"
      aria-label={text('close') || 'Close'}
      onClick={onClose}
    >
      <svg viewBox="0 0 24 24" aria-hidden="true">
        <path d="M5 5l14 14M19 5 5 19" />
      </svg>
    </button>
  );
}

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
