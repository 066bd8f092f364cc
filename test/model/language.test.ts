import { describe, expect, it } from 'vitest';
import { languages } from '../../src/locales/languages.ts';
import { reviewedTags } from '../../src/locales/reviewed-tags.ts';
import { chooseLanguage, loadLanguage } from '../../src/model/language.ts';
import { directionOf } from '../../src/model/text.ts';

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
    [{ languages: { pcm: pidgin } }, ['pcm'], 'pcm'],
  ])('of %j, for a reader of %j, is %s', (options, preferred, tag) => {
    expect(chooseLanguage(options, preferred)).toBe(tag);
  });

  it('that nobody has reviewed is not chosen by itself', () => {
    for (const [tag, { reviewedBy }] of Object.entries(languages)) {
      expect(reviewedTags.includes(tag)).toBe(reviewedBy !== undefined);
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
