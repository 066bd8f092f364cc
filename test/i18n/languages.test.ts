import { describe, expect, it } from 'vitest';
import { en } from '../../src/i18n/en.ts';
import { languages, loadMessages } from '../../src/i18n/languages.ts';
import { createLocalization } from '../../src/i18n/translator.ts';
import { descriptionOf, titleOf } from '../../src/widget/description/explanation.ts';
import { everyState } from '../widget/model/states.ts';

/** Every English message by key. */
const english: Record<string, string> = en;
const keys = Object.keys(english).sort();
const placeholders = (text: string): string[] => [...text.matchAll(/\{\w+}/g)].map(([name]) => name).sort();

/** The plural forms of a language for the numbers that a checkout shows: French has another one for a million. */
function pluralsOf(tag: string): string[] {
  const rules = new Intl.PluralRules(tag);
  return [...new Set(Array.from({ length: 120 }, (_, count) => rules.select(count + 1)))].sort();
}

const formsOf = (message: string): string[] =>
  [...message.matchAll(/(\w+) \{[^{}]+}/g)].map(([, name = '']) => name);

describe.each(Object.entries(languages))('%s', async (tag, { name }) => {
  const messages: Record<string, string> = (await loadMessages(tag)) ?? {};

  it('has a name, every message, and no others', () => {
    expect(name).not.toBe('');
    expect(Object.keys(messages).sort()).toEqual(keys);
    expect(Object.entries(messages).filter(([, text]) => text.trim() === '')).toEqual([]);
  });

  it('has the placeholders of the English messages', () => {
    for (const key of keys) {
      expect(placeholders(messages[key] ?? ''), key).toEqual(placeholders(english[key] ?? ''));
    }
  });

  it('has every plural form', () => {
    for (const key of ['seconds', 'minutes', 'hours']) {
      const message = messages[key] ?? '';
      expect(message).toMatch(/^\{count, plural,( \w+ \{[^{}]+})+}$/);
      const forms = formsOf(message);
      // Hausa and Swahili have plurals, but these words do not change.
      if (forms.join() !== 'other')
        expect(forms.sort()).toEqual([...new Set([...pluralsOf(tag), 'other'])].sort());
    }
  });

  it('describes every state differently, and fills every placeholder', () => {
    const localization = createLocalization({});
    localization.setLanguage(tag, messages);
    const described = everyState.map((state) =>
      [
        titleOf(state, localization.translator.value),
        ...descriptionOf(state, localization.translator.value),
      ].join(),
    );
    expect(new Set(described).size).toBe(everyState.length);
    expect(described.join()).not.toMatch(/[{}]/);
  });
});
