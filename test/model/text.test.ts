import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatCountdown } from '../../src/model/moments.ts';
import { createText, formatMoney, groupAccountNumber, plainAmount } from '../../src/model/text.ts';

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
    ['12', '12'],
    ['GB29 NWBK 6016', 'GB29 NWBK 6016'],
    ['', ''],
  ])('of %s is grouped as %s', (number, shown) => {
    expect(groupAccountNumber(number)).toBe(shown);
  });
});

describe('the words', () => {
  it('are the merchant’s where there are some, and ours elsewhere', () => {
    const { text } = createText({ waiting: 'Hold on' });
    expect([text('waiting'), text('bankName')]).toEqual(['Hold on', 'Bank']);
  });

  it('of the merchant are those of the language, or the English ones, or ours', () => {
    const speech = createText({ waiting: { en: 'Hold on', fr: 'Patience' }, copy: { yo: 'Daakọ' } });
    expect([speech.text('waiting'), speech.text('copy')]).toEqual(['Hold on', 'Copy']);
    speech.speak('fr-CA', {});
    expect(speech.text('waiting')).toBe('Patience');
    speech.speak('yo', {});
    expect([speech.text('waiting'), speech.text('copy')]).toEqual(['Hold on', 'Daakọ']);
  });

  it('take values, also such as look like patterns', () => {
    const { text } = createText({ transferTitle: 'Pay {amount} ({amount}) {nothing}' });
    expect(text('transferTitle', { amount: '$& $1' })).toBe('Pay $& $1 ($& $1) {nothing}');
  });

  it('that come later never replace the merchant’s', () => {
    const { text, learn } = createText({ showQr: 'Scan' });
    expect(text('backToShop')).toBe('');
    learn({ showQr: 'Show QR code', backToShop: 'Back to the shop' });
    expect([text('showQr'), text('backToShop')]).toEqual(['Scan', 'Back to the shop']);
  });

  it('of another language are not mixed with English ones while they are on their way', () => {
    const speech = createText();
    speech.speak('fr', undefined);
    speech.learn({ showQr: 'Show QR code' });
    expect([speech.text('copy'), speech.text('showQr')]).toEqual(['', '']);
    speech.speak('fr', { copy: 'Copier' });
    expect([speech.text('copy'), speech.text('copied'), speech.text('showQr')]).toEqual([
      'Copier',
      'Copied',
      'Show QR code',
    ]);
  });

  it('can be changed while they are in use', () => {
    const speech = createText({ copy: 'Take' });
    speech.use({ copy: 'Grab' });
    expect(speech.text('copy')).toBe('Grab');
  });
});
