import { describe, expect, it } from 'vitest';
import {
  chooseLanguage,
  type LanguageOptions,
  languageName,
  loadLanguage,
  offeredLanguages,
} from '../../src/i18n/choose-language.ts';
import { en } from '../../src/i18n/en.ts';
import { formatDuration } from '../../src/i18n/format-time.ts';
import { createLocalization, directionOf } from '../../src/i18n/translator.ts';
import { readPage, samplesOf } from '../docs/pages.ts';

const pidgin = { copy: 'Copy am' };

describe('the language', () => {
  it.each([
    [{}, ['en-NG'], 'en'],
    [{}, [], 'en'],
    [{ locale: 'auto' }, ['ha', 'de'], 'en'],
    [{ locale: 'fr' }, ['en'], 'fr'],
    [{ locale: 'fr-CA' }, [], 'fr-CA'],
    [{ locale: ['en', 'fr'] }, ['de', 'fr-FR', 'en'], 'fr'],
    [{ locale: ['pt-BR', 'pt-PT'] }, ['pt-pt'], 'pt-PT'],
    [{ locale: ['fr'] }, ['de'], 'en'],
    [{ locale: 'en ha yo' }, ['de', 'yo-NG'], 'yo'],
    [{ locale: 'ha yo' }, ['de'], 'en'],
    [{ languages: { pcm: pidgin } }, ['pcm'], 'pcm'],
  ])('is chosen from the options %j for a reader of %j: %s', (options, preferred, tag) => {
    expect(chooseLanguage(options, preferred)).toBe(tag);
  });

  it.each([
    [{}, ['en']],
    [{ locale: 'fr' }, ['fr']],
    [{ locale: 'en ha yo' }, ['en', 'ha', 'yo']],
    [{ locale: ['en', 'xx', 'ha', 'ha'] }, ['en', 'ha']],
    [{ languages: { de: {} } }, ['en', 'de']],
    [{ locale: 'en de', languages: { de: {} } }, ['en', 'de']],
    // A language tag, and a name that objects inherit.
    [{ locale: 'en valueOf', languages: { de: {} } }, ['en']],
  ])('can be chosen by the reader, for options %j, from %j', (options, tags) => {
    expect(offeredLanguages(options)).toEqual(tags);
  });

  it('is called by its own name', () => {
    const names = ['en', 'ha', 'yo', 'pcm', 'de', 'pt-BR'].map(languageName);
    expect(names).toEqual(['English', 'Hausa', 'Yorùbá', 'Naijá', 'Deutsch', 'português (Brasil)']);
  });

  it('has no messages from what objects inherit', async () => {
    const loaded = await loadLanguage({ locale: 'valueOf', languages: { de: {} } }, []);
    expect(loaded).toEqual({ tag: 'en', messages: {} });
  });

  it('has the merchant’s messages, given or loaded, before ours', async () => {
    const load = (locale: string, languages = {}) => loadLanguage({ locale, languages }, []);
    expect(await load('pcm', { pcm: pidgin })).toEqual({ tag: 'pcm', messages: pidgin });
    expect(await load('pcm-NG', { pcm: async () => pidgin })).toEqual({ tag: 'pcm-NG', messages: pidgin });
    expect(await load('en', { en: pidgin })).toEqual({ tag: 'en', messages: pidgin });
    expect(await load('en-GB')).toEqual({ tag: 'en-GB', messages: {} });
    expect(await load('fr-CA')).toMatchObject({ tag: 'fr-CA', messages: { copy: 'Copier' } });
  });

  it('is that of the documentation’s sample for its readers, with English for missing messages', async () => {
    const [sample = ''] = samplesOf(readPage('docs/guide/text-and-languages.md'), 'ts');
    let options: LanguageOptions = {};
    new Function('createTransferCheckout', sample.replace(/^import .*/, ''))((given: LanguageOptions) => {
      options = given;
    });
    const { tag, messages } = await loadLanguage(options, ['de-AT']);
    expect(tag).toBe('de');
    expect(Object.keys(messages).filter((key) => !(key in en))).toEqual([]);
    const localization = createLocalization({});
    localization.setLanguage(tag, messages);
    expect(localization.translator.value.text('transferTitle', { amount: '5 NGN' })).toBe(
      'Überweisen Sie 5 NGN',
    );
    expect(localization.translator.value.text('help')).toBe('Get help');
    expect([
      formatDuration(60_000 * 3, localization.translator.value),
      formatDuration(1000, localization.translator.value),
    ]).toEqual(['3 Minuten', '1 second']);
  });

  it.each([
    ['ar', 'rtl'],
    ['ar-EG', 'rtl'],
    ['arn', 'ltr'],
    ['fr', 'ltr'],
  ])('has a direction: %s is written %s', (tag, direction) => {
    expect(directionOf(tag)).toBe(direction);
  });
});
