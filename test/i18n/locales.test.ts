import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { en } from '../../src/i18n/en.ts';
import { languages, loadWords } from '../../src/i18n/languages.ts';
import { createText } from '../../src/i18n/text.ts';
import { leadsOf } from '../../src/model/leads.ts';
import { titleOf } from '../../src/model/title.ts';
import { everyState } from '../model/states.ts';
import { projectFolder } from '../setup/demo-process.ts';

/** Every word of the checkout in English, by key. */
const english: Record<string, string> = en;
const keys = Object.keys(english).sort();
const placeholders = (text: string): string[] => [...text.matchAll(/\{\w+}/g)].map(([name]) => name).sort();

const sources = (folder: string): string[] =>
  readdirSync(join(projectFolder, 'src', folder), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'utf8'));
const code = [
  ...['model', 'ui', 'mount'].flatMap(sources),
  ...['moments', 'text'].map((name) => readFileSync(join(projectFolder, `src/i18n/${name}.ts`), 'utf8')),
].join('\n');

/** The keys that are put together from a state's name: those that a state was seen to ask for. */
const asked = new Set<string>();
for (const state of everyState) {
  const { text } = createText().speech.value;
  const speech = {
    text: ((key, values) => {
      asked.add(key);
      return text(key, values) || key;
    }) as typeof text,
    locale: 'en',
  };
  titleOf(state, speech);
  leadsOf(state, speech);
}

describe('the words', () => {
  it('are all used', () => {
    const isUsed = (key: string): boolean => asked.has(key) || new RegExp(`['"\`]${key}['"\`]`).test(code);
    expect(keys.filter((key) => !isUsed(key))).toEqual([]);
  });

  it('has every word that a state asks for', () => {
    // What only a shop says has no words of ours.
    const ofShop = ['overpaidPolicy', 'failedPolicy', 'reversedPolicy'];
    expect([...asked].filter((key) => !keys.includes(key)).sort()).toEqual(ofShop.sort());
  });
});

/** The plurals that a language has for numbers that a checkout counts: French has one more for a million. */
function pluralsOf(tag: string): string[] {
  const rules = new Intl.PluralRules(tag);
  return [...new Set(Array.from({ length: 120 }, (_, count) => rules.select(count + 1)))].sort();
}

const formsOf = (message: string): string[] =>
  [...message.matchAll(/(\w+) \{[^{}]+}/g)].map(([, name = '']) => name);

describe('the languages', () => {
  it('are ten, each a file of its own, with nobody’s name for a review that was not made', () => {
    const files = readdirSync(join(projectFolder, 'src/i18n')).map((file) => file.replace('.ts', ''));
    const others = ['language', 'languages', 'messages', 'moments', 'text'];
    expect(files.filter((file) => !others.includes(file)).sort()).toEqual(
      ['en', ...Object.keys(languages)].sort(),
    );
    expect(Object.keys(languages)).toHaveLength(9);
    for (const { reviewedBy } of Object.values(languages)) expect(reviewedBy).not.toBe('');
  });
});

describe.each(Object.entries(languages))('%s', async (tag, { name }) => {
  const words: Record<string, string> = (await loadWords(tag)) ?? {};

  it('has a name, and every word, and no other', () => {
    expect(name).not.toBe('');
    expect(Object.keys(words).sort()).toEqual(keys);
    expect(Object.entries(words).filter(([, text]) => text.trim() === '')).toEqual([]);
  });

  it('fills in what English fills in', () => {
    for (const key of keys) {
      expect([key, placeholders(words[key] ?? '')]).toEqual([key, placeholders(english[key] ?? '')]);
    }
  });

  it('begins the name of a button to copy with what stands on it', () => {
    for (const key of ['copyAccountNumber', 'copyAmount', 'copyMissing', 'copyReference'])
      expect(words[key]).toMatch(/^\{copy}.{3}/);
  });

  it('has a form for each of its plurals', () => {
    for (const key of ['seconds', 'minutes', 'hours']) {
      const message = words[key] ?? '';
      expect(message).toMatch(/^\{count, plural,( \w+ \{[^{}]+})+}$/);
      const forms = formsOf(message);
      // Hausa and Swahili have plurals, but these words of theirs do not change.
      if (forms.join() !== 'other')
        expect(forms.sort()).toEqual([...new Set([...pluralsOf(tag), 'other'])].sort());
    }
  });

  it('says something else in every state, and leaves no value out', () => {
    const speaker = createText();
    speaker.speak(tag, words);
    const said = everyState.map((state) =>
      [titleOf(state, speaker.speech.value), ...leadsOf(state, speaker.speech.value)].join(),
    );
    expect(new Set(said).size).toBe(everyState.length);
    expect(said.join()).not.toMatch(/[{}]/);
  });

  it('is written in composed letters and round quotes, without stray spaces', () => {
    for (const [key, text] of Object.entries(words)) {
      expect([key, text]).toEqual([
        key,
        text
          .normalize('NFC')
          .replace(/\s{2,}/g, ' ')
          .trim(),
      ]);
      expect(text).not.toMatch(/['"]|\.\.\./);
    }
  });

  it('is short where there is little room', () => {
    for (const key of ['copy', 'copied', 'testMode', 'timeLeft']) {
      expect([key, (words[key] ?? '').normalize('NFD').replace(/\p{M}/gu, '').length <= 20]).toEqual([
        key,
        true,
      ]);
    }
  });
});
