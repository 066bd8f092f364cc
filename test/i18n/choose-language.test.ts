import { describe, expect, it } from 'vitest';
import { chooseLanguage, loadLanguage, offeredLanguages } from '../../src/i18n/choose-language.ts';
import { directionOf } from '../../src/i18n/translator.ts';

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

  it('has the merchant’s messages, given or loaded, before ours', async () => {
    const load = (locale: string, languages = {}) => loadLanguage({ locale, languages }, []);
    expect(await load('pcm', { pcm: pidgin })).toEqual({ tag: 'pcm', messages: pidgin });
    expect(await load('pcm-NG', { pcm: async () => pidgin })).toEqual({ tag: 'pcm-NG', messages: pidgin });
    expect(await load('en', { en: pidgin })).toEqual({ tag: 'en', messages: pidgin });
    expect(await load('en-GB')).toEqual({ tag: 'en-GB', messages: {} });
    // A name that objects inherit.
    expect(await load('valueOf', { de: {} })).toEqual({ tag: 'en', messages: {} });
    expect(await load('fr-CA')).toMatchObject({ tag: 'fr-CA', messages: { copy: 'Copier' } });
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
