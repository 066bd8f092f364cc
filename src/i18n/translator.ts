import { type ReadonlySignal, signal } from '@preact/signals';
import { en } from './en.ts';
import type { CustomText, CustomTexts, Messages, PartialMessages } from './messages.ts';

/** Returns a message with each `{name}` replaced by the value of that name; empty while the messages load. */
export type Translate = (key: keyof Messages, values?: Record<string, string>) => string;

/** The current language of a checkout. */
export type Translator = {
  readonly text: Translate;
  /** The language tag for `Intl`. */
  readonly locale: string;
  /** The messages are still loading. */
  readonly isLoading?: boolean;
  /** The zone of all times, shown beside them; the reader's own zone when left out. */
  readonly timeZone?: string | undefined;
  /** The reader's languages, best first: they select the English date format. */
  readonly preferredLanguages?: readonly string[] | undefined;
};

export type Localization = {
  readonly translator: ReadonlySignal<Translator>;
  /** Changes the language; without messages, the translator is loading. */
  readonly setLanguage: (locale: string, messages: PartialMessages | undefined) => void;
  /** Replaces the merchant's custom texts. */
  readonly setCustomTexts: (customTexts: CustomTexts | undefined) => void;
};

/** Creates the localization of one checkout. It starts in English. */
export function createLocalization(customTexts: CustomTexts = {}): Localization {
  let sources: Sources = { locale: 'en', messages: en, customTexts };
  const translator = signal(createTranslator(sources));
  const change = (changes: Partial<Sources>): void => {
    sources = { ...sources, ...changes };
    translator.value = createTranslator(sources);
  };
  return {
    translator,
    setLanguage: (locale, messages) => change({ locale, messages: messages && { ...en, ...messages } }),
    setCustomTexts: (customTexts = {}) => change({ customTexts }),
  };
}

type Sources = {
  readonly locale: string;
  readonly messages: PartialMessages | undefined;
  readonly customTexts: CustomTexts;
};

const createTranslator = ({ locale, messages, customTexts }: Sources): Translator => ({
  locale,
  isLoading: !messages,
  text(key, values) {
    const message = messages ? (inLanguage(customTexts[key], locale) ?? messages[key] ?? '') : '';
    return `${message}`.replace(/\{(\w+)}/g, (placeholder, name: string) => values?.[name] ?? placeholder);
  },
});

/** Selects the text for a language, or else the English one. */
function inLanguage(text: CustomText | undefined, locale: string): string | undefined {
  if (typeof text !== 'object') return text;
  return text[locale] ?? text[locale.replace(/-.*/, '')] ?? text.en;
}

/** Returns the writing direction of a language. */
export function directionOf(locale: string): 'rtl' | 'ltr' {
  return /^(ar|fa|he|ur)\b/.test(locale) ? 'rtl' : 'ltr';
}
