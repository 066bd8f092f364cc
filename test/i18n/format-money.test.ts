import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatMoney, groupAccountNumber, plainAmount } from '../../src/i18n/format-money.ts';

const plainSpaces = (text: string): string => text.replace(/\s/g, ' ');
const naira = (value: number) => ({ value, currency: 'NGN' });

describe('an amount', () => {
  it.each([
    [naira(1_250_000), 'NGN 12,500.00', '12500.00'],
    [naira(0), 'NGN 0.00', '0.00'],
    [naira(5), 'NGN 0.05', '0.05'],
    [{ value: 1234, currency: 'JPY' }, 'JPY 1,234', '1234'],
    [{ value: 1234, currency: 'KWD' }, 'KWD 1.234', '1.234'],
    // As a fraction of two digits this number would be rounded: it has no exact double.
    [naira(Number.MAX_SAFE_INTEGER), 'NGN 90,071,992,547,409.91', '90071992547409.91'],
  ])('of %j is shown as %s and copied as %s', (money, shown, copied) => {
    expect(plainSpaces(formatMoney(money))).toBe(shown);
    expect(plainAmount(money)).toBe(copied);
  });

  it.each([
    ['fr', naira(1_234_567), '12 345,67 NGN'],
    ['pt', naira(1_234_567), 'NGN 12.345,67'],
    ['ar-EG', naira(1_205), '‏١٢٫٠٥ NGN'],
    ['ar', naira(1_205), '‏12.05 NGN'],
    ['de', { value: 1234, currency: 'KWD' }, '1,234 KWD'],
  ])('is written as %s writes it', (locale, money, shown) => {
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
  ])('%s is grouped as %s', (number, shown) => {
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
