import type { Environment } from '../../core/environment.ts';
import {
  english,
  isEnglishOnly,
  type LanguageOptions,
  type LoadedLanguage,
  loadLanguage,
  offeredLanguages,
} from '../../i18n/choose-language.ts';
import type { Localization } from '../../i18n/translator.ts';

/** How long the first language may take to load before English is shown. A later one replaces the current one when it is loaded. */
const languageTimeoutMs = 4000;

/** Creates the language switch of one checkout. A language that fails to load is reported; the current one, at first English, stays. */
export function createLanguageSwitch(
  environment: Environment,
  { setLanguage }: Localization,
  preferredLanguages: readonly string[],
) {
  let selected = environment.readLanguage() ?? undefined;
  let current: LanguageOptions | undefined;
  let shown = english;
  let cancelTimeout = (): void => {};
  return {
    /** Loads and shows the language of these options, or the one that the shopper selected, where they offer it. The latest call wins. */
    use(settings: LanguageOptions): void {
      const isOffered = selected !== undefined && offeredLanguages(settings).includes(selected);
      const options = isOffered ? { ...settings, locale: selected } : settings;
      const show = (language: LoadedLanguage): void => {
        if (current !== options) return;
        shown = language;
        setLanguage(language.tag, language.messages);
      };
      const isFirst = current === undefined;
      cancelTimeout();
      current = options;
      if (isEnglishOnly(options)) return show(english);
      if (isFirst) {
        setLanguage('en', undefined);
        cancelTimeout = environment.setTimer(() => show(english), languageTimeoutMs);
      }
      loadLanguage(options, preferredLanguages)
        .catch((error: unknown) => {
          environment.report(error);
          // Shown again, so that the switch names it.
          return shown;
        })
        .then((language) => {
          if (current === options) cancelTimeout();
          show(language);
        });
    },
    /** Remembers the language that the shopper selects for the visit; where storage is blocked, for this checkout. */
    select(tag: string): void {
      selected = tag;
      environment.writeLanguage(tag);
    },
    stop(): void {
      cancelTimeout();
      current = undefined;
    },
  };
}
