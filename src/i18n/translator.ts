import { type ReadonlySignal, signal } from '@preact/signals';
import { en } from './en.ts';
import { type CurrencyDisplay, isRightToLeft } from './format-money.ts';
import {
  type CustomText,
  findByTag,
  type Messages,
  type PartialMessages,
  type TextOptions,
} from './messages.ts';

export type MessageValues = { readonly [name: string]: string | (() => string) };

/** Returns a message with each `{name}` replaced by the value of that name; empty while the messages load. */
export type Translate = (key: keyof Messages, values?: MessageValues) => string;

export type Translator = {
  readonly text: Translate;
  readonly locale: string;
  readonly currencyDisplay?: CurrencyDisplay | 'name' | undefined;
  readonly isLoading?: boolean;
  /** The zone of all times, shown beside them; the reader's own zone when left out. */
  readonly timeZone?: string | undefined;
};

export type Localization = ReturnType<typeof createLocalization>;

export function createLocalization(options: TextOptions) {
  let sources: Sources = { locale: 'en', messages: en, options };
  const translator = signal(createTranslator(sources));
  const change = (changes: Partial<Sources>): void => {
    sources = { ...sources, ...changes };
    translator.value = createTranslator(sources);
  };
  return {
    translator: translator as ReadonlySignal<Translator>,
    setLanguage: (locale: string, messages: PartialMessages | undefined): void =>
      change({ locale, messages: messages && { ...en, ...messages } }),
    setOptions: (next: TextOptions): void => change({ options: next }),
  };
}

type Sources = {
  readonly locale: string;
  readonly messages: PartialMessages | undefined;
  readonly options: TextOptions;
};

const createTranslator = ({ locale, messages, options }: Sources): Translator => ({
  locale,
  currencyDisplay: options.currencyDisplay,
  isLoading: !messages,
  text(key, values) {
    const custom = key === 'refundTime' ? (options.refundTime ?? options.text?.[key]) : options.text?.[key];
    const message = messages ? (inLanguage(custom, locale) ?? messages[key] ?? '') : '';
    return `${message}`.replace(/\{(\w+)}/g, (placeholder, name: string) => {
      const value = values?.[name];
      return typeof value === 'function' ? value() : (value ?? placeholder);
    });
  },
});

/** Returns a translator whose amounts name their currency, for screen readers: not all of them know the signs. */
export const spokenBy = (translator: Translator): Translator => ({ ...translator, currencyDisplay: 'name' });

function inLanguage(text: CustomText | undefined, locale: string): string | undefined {
  if (typeof text !== 'object') return text;
  return findByTag(text, locale) ?? findByTag(text, 'en');
}

export function directionOf(locale: string): 'rtl' | 'ltr' {
  return isRightToLeft(locale) ? 'rtl' : 'ltr';
}
