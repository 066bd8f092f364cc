import { describe, expect, it } from 'vitest';
import { en } from '../../src/i18n/en.ts';
import { chooseLanguage, type LanguageOptions, loadLanguage } from '../../src/i18n/language.ts';
import { languages, reviewedTags } from '../../src/i18n/languages.ts';
import { formatDuration } from '../../src/i18n/moments.ts';
import { createText, directionOf } from '../../src/i18n/text.ts';
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
  ])('of %j, for a reader of %j, is %s', (options, preferred, tag) => {
    expect(chooseLanguage(options, preferred)).toBe(tag);
  });

  it('that nobody has reviewed is not chosen by itself', () => {
    for (const [tag, { reviewedBy }] of Object.entries(languages)) {
      expect(reviewedTags.includes(tag)).toBe(reviewedBy !== null);
      if (!reviewedBy) expect(chooseLanguage({}, [tag])).toBe('en');
    }
  });

  it('has the merchant’s words, given or loaded, before ours', async () => {
    const load = (locale: string, languages = {}) => loadLanguage({ locale, languages }, []);
    expect(await load('pcm', { pcm: pidgin })).toEqual({ tag: 'pcm', words: pidgin });
    expect(await load('pcm-NG', { pcm: async () => pidgin })).toEqual({ tag: 'pcm-NG', words: pidgin });
    expect(await load('en', { en: pidgin })).toEqual({ tag: 'en', words: pidgin });
    expect(await load('en-GB')).toEqual({ tag: 'en-GB', words: {} });
    expect(await load('fr-CA')).toMatchObject({ tag: 'fr-CA', words: { copy: 'Copier' } });
  });

  it('of the documentation’s sample is used for its readers, with English for missing texts', async () => {
    const [sample = ''] = samplesOf(readPage('docs/guide/text-and-languages.md'), 'ts');
    let options: LanguageOptions = {};
    new Function('createTransferCheckout', sample.replace(/^import .*/, ''))((given: LanguageOptions) => {
      options = given;
    });
    const { tag, words } = await loadLanguage(options, ['de-AT']);
    expect(tag).toBe('de');
    expect(Object.keys(words).filter((key) => !(key in en))).toEqual([]);
    const speaker = createText();
    speaker.speak(tag, words);
    expect(speaker.speech.value.text('transferTitle', { amount: '5 NGN' })).toBe('Überweisen Sie 5 NGN');
    expect(speaker.speech.value.text('help')).toBe('Get help');
    expect([
      formatDuration(60_000 * 3, speaker.speech.value),
      formatDuration(1000, speaker.speech.value),
    ]).toEqual(['3 Minuten', '1 second']);
  });

  it('that nobody has words for is English', async () => {
    expect(await loadLanguage({ locale: 'xx' }, [])).toEqual({ tag: 'en', words: {} });
  });

  it.each([
    ['ar', 'rtl'],
    ['ar-EG', 'rtl'],
    ['arn', 'ltr'],
    ['fr', 'ltr'],
  ])('%s is written %s', (tag, direction) => {
    expect(directionOf(tag)).toBe(direction);
  });
});
