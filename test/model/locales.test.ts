import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { en } from '../../src/locales/en.ts';
import { enMore } from '../../src/locales/en-more.ts';
import { languages } from '../../src/locales/languages.ts';
import { fullTitleOf, leadsOf } from '../../src/model/leads.ts';
import { createText } from '../../src/model/text.ts';
import { projectFolder } from '../setup/demo-process.ts';
import { everyState } from './states.ts';

/** Every word of the checkout in English, by key; the script tag's own is in its own file. */
const english: Record<string, string> = { ...en, ...enMore, loadFailed: '' };
const keys = Object.keys(english).sort();
const placeholders = (text: string): string[] => [...text.matchAll(/\{\w+}/g)].map(([name]) => name).sort();

const sources = (folder: string): string[] =>
  readdirSync(join(projectFolder, 'src', folder)).map((file) =>
    readFileSync(join(projectFolder, 'src', folder, file), 'utf8'),
  );
const code = ['model', 'views', 'mounts'].flatMap(sources).join('\n');

/** The keys that are put together from a state's name: those that a state was seen to ask for. */
const asked = new Set<string>();
for (const state of everyState) {
  const { text } = createText();
  const speech = {
    text: ((key, values) => {
      asked.add(key);
      return text(key, values) || key;
    }) as typeof text,
    locale: 'en',
  };
  fullTitleOf(state, speech);
  leadsOf(state, speech);
}

describe('the words', () => {
  it.each(keys)('%s is used', (key) => {
    expect(asked.has(key) || new RegExp(`['"\`]${key}['"\`]`).test(code)).toBe(true);
  });

  it('has every word that a state asks for', () => {
    expect([...asked].filter((key) => !keys.includes(key))).toEqual([]);
  });

  it('are in one of the two English files', () => {
    expect(Object.keys(en).filter((key) => key in enMore)).toEqual([]);
  });
});

describe.each(Object.entries(languages))('%s', async (_tag, { load, name }) => {
  const words: Record<string, string> = await load();

  it('has a name, and every word, and no other', () => {
    expect(name).not.toBe('');
    expect(Object.keys(words).sort()).toEqual(keys);
    expect(Object.entries(words).filter(([, text]) => text.trim() === '')).toEqual([]);
  });

  it('fills in what English fills in', () => {
    for (const key of keys.filter((one) => one !== 'loadFailed')) {
      expect([key, placeholders(words[key] ?? '')]).toEqual([key, placeholders(english[key] ?? '')]);
    }
  });
});
