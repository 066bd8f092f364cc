import { describe, expect, it } from 'vitest';
import { toMajorUnits } from '../../src/contract/index.ts';
import { formatMoney, groupAccountNumber } from '../../src/i18n/format-money.ts';

const plainSpaces = (text: string): string => text.replace(/\s/g, ' ');
const naira = (value: number) => ({ value, currency: 'NGN' });

describe('an amount', () => {
  it('keeps the letters and the sign of a currency in their order from right to left', () => {
    expect(formatMoney({ value: 12_500, currency: 'JPY' }, { locale: 'ar' })).toContain('\u2066JP¥\u2069');
    expect(formatMoney(naira(5), { locale: 'ar' })).not.toContain('\u2066');
  });

  it.each([
    [naira(1_250_000), '₦12,500.00', 'NGN 12,500.00', '12500.00'],
    [naira(0), '₦0.00', 'NGN 0.00', '0.00'],
    [naira(5), '₦0.05', 'NGN 0.05', '0.05'],
    [{ value: 1250, currency: 'EUR' }, '€12.50', 'EUR 12.50', '12.50'],
    [{ value: 1250, currency: 'GHS' }, 'GHS 12.50', 'GHS 12.50', '12.50'],
    [{ value: 1234, currency: 'KWD' }, 'KWD 1.234', 'KWD 1.234', '1.234'],
    // A sign of several currencies.
    [{ value: 1250, currency: 'USD' }, 'USD 12.50', 'USD 12.50', '12.50'],
    [{ value: 1250, currency: 'GBP' }, 'GBP 12.50', 'GBP 12.50', '12.50'],
    [{ value: 1234, currency: 'JPY' }, 'JPY 1,234', 'JPY 1,234', '1234'],
    // As a fraction of two digits this number would be rounded: it has no exact double.
    [
      naira(Number.MAX_SAFE_INTEGER),
      '₦90,071,992,547,409.91',
      'NGN 90,071,992,547,409.91',
      '90071992547409.91',
    ],
  ])(
    'is shown with its sign, with its code, and copied without: %j as %s, %s and %s',
    (money, shown, withCode, copied) => {
      expect(plainSpaces(formatMoney(money, { locale: 'en' }))).toBe(shown);
      expect(plainSpaces(formatMoney(money, { locale: 'en', currencyDisplay: 'code' }))).toBe(withCode);
      expect(toMajorUnits(money)).toBe(copied);
    },
  );

  it.each([
    ['en-US', naira(1_250_000), '₦12,500.00'],
    ['en-NG', naira(1_250_000), '₦12,500.00'],
    ['ha', naira(1_250_000), '₦ 12,500.00'],
    ['fr', naira(1_234_567), '12 345,67 ₦'],
    ['pt', naira(1_234_567), '₦ 12.345,67'],
    ['ar-EG', naira(1_205), '‏١٢٫٠٥ ₦'],
    ['ar', naira(1_205), '‏12.05 ₦'],
    ['en-CA', { value: 1250, currency: 'USD' }, 'US$12.50'],
    ['de', { value: 1234, currency: 'KWD' }, '1,234 KWD'],
  ])('is written as %s writes it', (locale, money, shown) => {
    expect(plainSpaces(formatMoney(money, { locale }))).toBe(shown);
  });

  it('is spoken with the name of its currency', () => {
    expect(formatMoney(naira(1_250_000), { locale: 'en', currencyDisplay: 'name' })).toBe('12,500.00 naira');
  });
});

it.each([
  ['9012345678', '9012 345 678'],
  ['90123456', '9012 3456'],
  ['90123456789012345678', '9012 345 678 901 234 5678'],
  ['90123', '901 23'],
  ['GB29 NWBK 6016', 'GB29 NWBK 6016'],
  ['', ''],
])('an account number is grouped for reading: %s as %s', (number, shown) => {
  expect(groupAccountNumber(number)).toBe(shown);
});
