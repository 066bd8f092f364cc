import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatCountdown } from '../../src/i18n/moments.ts';
import { createText, formatMoney, groupAccountNumber, plainAmount } from '../../src/i18n/text.ts';

const plainSpaces = (text: string): string => text.replace(/\s/g, ' ');
const naira = (value: number) => ({ value, currency: 'NGN' });

describe('money', () => {
  it.each([
    [naira(1_250_000), 'NGN 12,500.00', '12500.00'],
    [naira(0), 'NGN 0.00', '0.00'],
    [naira(5), 'NGN 0.05', '0.05'],
    [{ value: 1234, currency: 'JPY' }, 'JPY 1,234', '1234'],
    [{ value: 1234, currency: 'KWD' }, 'KWD 1.234', '1.234'],
    // As a fraction of two digits this number would be rounded: it has no exact double.
    [naira(Number.MAX_SAFE_INTEGER), 'NGN 90,071,992,547,409.91', '90071992547409.91'],
  ])('of %j reads %s, and is copied as %s', (money, shown, copied) => {
    expect(plainSpaces(formatMoney(money))).toBe(shown);
    expect(plainAmount(money)).toBe(copied);
  });

  it.each([
    ['fr', naira(1_234_567), '12 345,67 NGN'],
    ['pt', naira(1_234_567), 'NGN 12.345,67'],
    ['ar-EG', naira(1_205), '‏١٢٫٠٥ NGN'],
    ['ar', naira(1_205), '‏12.05 NGN'],
    ['de', { value: 1234, currency: 'KWD' }, '1,234 KWD'],
  ])('is written as %s writes it, and copied in plain digits', (locale, money, shown) => {
    expect(plainSpaces(formatMoney(money, locale))).toBe(shown);
  });

  it('never loses or gains a kobo', () => {
    fc.assert(
      fc.property(fc.maxSafeNat(), (value) => {
        expect(BigInt(plainAmount(naira(value)).replace('.', ''))).toBe(BigInt(value));
      }),
    );
  });
});

describe('the time left', () => {
  it.each([
    [1_800_000, '30:00'],
    [1_799_001, '30:00'],
    [1_799_000, '29:59'],
    [61_000, '01:01'],
    [1, '00:01'],
    [0, '00:00'],
    [3_600_000, '1:00:00'],
    [90_061_000, '25:01:01'],
  ])('of %i ms reads %s', (ms, shown) => {
    expect(formatCountdown(ms)).toBe(shown);
  });
});

describe('the time left in another language', () => {
  it('has its digits', () => {
    expect(formatCountdown(3_605_000, 'ar-EG')).toBe('١:٠٠:٠٥');
    expect(formatCountdown(605_000, 'fr')).toBe('10:05');
  });
});

describe('an account number', () => {
  it.each([
    ['9012345678', '9012 345 678'],
    ['901234', '9012 34'],
    ['9012345', '9012 345'],
    ['90123456', '9012 3456'],
    ['901234567', '9012 345 67'],
    ['90123456789', '9012 345 6789'],
    ['90123456789012345678', '9012 345 678 901 234 5678'],
    ['12', '12'],
    ['90123', '901 23'],
    ['GB29 NWBK 6016', 'GB29 NWBK 6016'],
    ['', ''],
  ])('of %s is grouped as %s', (number, shown) => {
    expect(groupAccountNumber(number)).toBe(shown);
  });

  it.each(Array.from({ length: 15 }, (_, more) => 6 + more))(
    'of %i digits has two to four digits in each group',
    (length) => {
      const groups = groupAccountNumber('9'.repeat(length)).split(' ');
      expect(groups.join('')).toHaveLength(length);
      expect(groups.filter((group) => !/^9{2,4}$/.test(group))).toEqual([]);
    },
  );
});

describe('the words', () => {
  it('are the merchant’s where there are some, and ours elsewhere', () => {
    const { text } = createText({ waiting: 'Hold on' }).speech.value;
    expect([text('waiting'), text('bankName')]).toEqual(['Hold on', 'Bank']);
  });

  it('of the merchant are those of the language, or the English ones, or ours', () => {
    const speaker = createText({ waiting: { en: 'Hold on', fr: 'Patience' }, copy: { yo: 'Daakọ' } });
    expect([speaker.speech.value.text('waiting'), speaker.speech.value.text('copy')]).toEqual([
      'Hold on',
      'Copy',
    ]);
    speaker.speak('fr-CA', {});
    expect(speaker.speech.value.text('waiting')).toBe('Patience');
    speaker.speak('yo', {});
    expect([speaker.speech.value.text('waiting'), speaker.speech.value.text('copy')]).toEqual([
      'Hold on',
      'Daakọ',
    ]);
  });

  it('take values, also such as look like patterns', () => {
    const { text } = createText({ transferTitle: 'Pay {amount} ({amount}) {nothing}' }).speech.value;
    expect(text('transferTitle', { amount: '$& $1' })).toBe('Pay $& $1 ($& $1) {nothing}');
  });

  it('of another language are not mixed with English ones while they are on their way', () => {
    const speaker = createText();
    speaker.speak('fr', undefined);
    expect([speaker.speech.value.text('copy'), speaker.speech.value.text('showQr')]).toEqual(['', '']);
    speaker.speak('fr', { copy: 'Copier' });
    expect([
      speaker.speech.value.text('copy'),
      speaker.speech.value.text('copied'),
      speaker.speech.value.text('showQr'),
    ]).toEqual(['Copier', 'Copied', 'Show QR code']);
  });

  it('can be changed while they are in use', () => {
    const speaker = createText({ copy: 'Take' });
    speaker.use({ copy: 'Grab' });
    expect(speaker.speech.value.text('copy')).toBe('Grab');
  });
});
