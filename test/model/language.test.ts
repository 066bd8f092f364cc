import { describe, expect, it } from 'vitest';
import { languages } from '../../src/locales/languages.ts';
import { reviewedTags } from '../../src/locales/reviewed-tags.ts';
import { chooseLanguage, isEnglish, loadWords } from '../../src/model/language.ts';
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

  it.each([
    ['en', {}, true],
    ['en-GB', {}, true],
    ['fr', {}, false],
    ['en', { languages: { en: pidgin } }, false],
  ])('%s with %j needs nothing to be loaded: %s', (tag, options, isThere) => {
    expect(isEnglish(tag, options)).toBe(isThere);
  });

  it('has the merchant’s words, given or loaded, before ours', async () => {
    expect(await loadWords('pcm', { languages: { pcm: pidgin } })).toBe(pidgin);
    expect(await loadWords('pcm-NG', { languages: { pcm: async () => pidgin } })).toBe(pidgin);
    expect((await loadWords('fr-CA', {}))?.copy).toBe('Copier');
    expect(await loadWords('xx', {})).toBeUndefined();
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
