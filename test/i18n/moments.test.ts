import { describe, expect, it } from 'vitest';
import { loadWords } from '../../src/i18n/languages.ts';
import { formatDuration, formatMoment, formatTime, spokenStep } from '../../src/i18n/moments.ts';
import { createText } from '../../src/i18n/text.ts';

const minute = 60_000;

describe('a duration', () => {
  it.each([
    [40_000, 'en', '40 seconds'],
    [1, 'en', '1 second'],
    [119_001, 'en', '2 minutes'],
    [27 * minute, 'fr', '27 minutes'],
    [1000, 'fr', '1 seconde'],
    [120 * minute, 'en', '2 hours'],
    [1000, 'ar', 'ثانية واحدة'],
    [2 * minute, 'ar', 'دقيقتين'],
    [3 * minute, 'ar', '3 دقائق'],
    [11 * minute, 'ar', '11 دقيقة'],
    [100 * minute, 'ar-EG', '١٠٠ دقيقة'],
    [40_000, 'ha', 'daƙiƙa 40'],
    [1000, 'ig', 'sekọnd 1'],
    [180 * minute, 'yo', 'wákàtí 3'],
    [1000, 'pcm', '1 second'],
    [5 * minute, 'sw', 'dakika 5'],
    [119_000, 'pt', '119 segundos'],
    [1000, 'es', '1 segundo'],
  ])('of %i ms in %s is %s', async (ms, locale, said) => {
    const speaker = createText();
    speaker.speak(locale, (await loadWords(locale.replace(/-.*/, ''))) ?? {});
    expect(formatDuration(ms, speaker.speech.value)).toBe(said);
  });

  it('in a language of the merchant’s is said in the form that it has, or in its only one', () => {
    const speaker = createText();
    const minutes = '{count, plural, one {# minuta} few {# minuty} other {# minut}}';
    speaker.speak('pl', { minutes, hours: '{count, plural, other {godz. #}}' });
    const said = [2, 3, 5].map((count) => formatDuration(count * minute, speaker.speech.value));
    expect(said).toEqual(['2 minuty', '3 minuty', '5 minut']);
    expect(formatDuration(120 * minute, speaker.speech.value)).toBe('godz. 2');
    expect(formatDuration(1000, speaker.speech.value)).toBe('1 second');
  });
});

describe('the time left is spoken', () => {
  it('about every three minutes, in the last five every minute, in the last two every thirty seconds', () => {
    const steps: number[] = [];
    for (let left = 15 * minute; left > 0; left -= 1000) {
      const step = spokenStep(left) / minute;
      if (step !== steps.at(-1)) steps.push(step);
    }
    expect(steps).toEqual([15, 12, 9, 6, 5, 4, 3, 2, 1.5, 1, 0.5]);
  });
});

const written = (locale: string, preferred?: readonly string[], iso = '2026-03-01T15:04:00Z'): string =>
  formatMoment(iso, { locale, preferred, timeZone: 'Africa/Lagos' }).replace(/\s/g, ' ');

describe('a moment', () => {
  it('is written as the language writes it', () => {
    expect(written('fr')).toMatch(/^1 mars 2026/);
    expect(written('yo')).toMatch(/^1 .* 2026, \d\d:04/);
    expect(written('ar')).toMatch(/^1 مارس 2026/);
  });

  it.each([
    [undefined, '1 Mar 2026, 16:04 WAT'],
    [[], '1 Mar 2026, 16:04 WAT'],
    [['fr-FR', 'en'], '1 Mar 2026, 16:04 WAT'],
    [['en', 'en-NG', 'en-US'], '1 Mar 2026, 16:04 WAT'],
    [['en-US'], 'Mar 1, 2026, 04:04 PM GMT+1'],
    [['de', 'en-AU'], '1 Mar 2026, 04:04 pm'],
  ])(
    'is written in the English of a reader who likes %j, which is never American unasked',
    (preferred, said) => {
      expect(written('en', preferred)).toContain(said.replace(/ (WAT|GMT\+1)$/, ''));
    },
  );

  it('in the English that a merchant names is written so', () => {
    expect(written('en-US', ['en-NG'])).toContain('Mar 1, 2026');
  });
});

it('a time of the day is written in the reader’s English', () => {
  const iso = '2026-03-01T15:04:00Z';
  const time = (preferred: string[]) =>
    formatTime(iso, { locale: 'en', preferred, timeZone: 'Africa/Lagos' }).replace(/\s/g, ' ');
  expect([time([])?.slice(0, 5), time(['en-US']).slice(0, 8)]).toEqual(['16:04', '04:04 PM']);
});
