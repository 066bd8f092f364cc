import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toMajorUnits, toMinorUnits } from '../../../server-kit/service/index.ts';

describe('toMinorUnits', () => {
  it.each([
    [12500, 'NGN', 1_250_000],
    ['12500.00', 'NGN', 1_250_000],
    ['12500.5', 'ngn', 1_250_050],
    [0.29, 'USD', 29],
    [1.1, 'USD', 110],
    ['12.3400000', 'USD', 1234],
    [500, 'JPY', 500],
    ['500.000', 'JPY', 500],
    ['1.234', 'KWD', 1234],
    [0, 'NGN', 0],
    ['90071992547409.91', 'NGN', Number.MAX_SAFE_INTEGER],
  ])('makes %s of %s %s', (amount, currency, minor) => {
    expect(toMinorUnits(amount, currency)).toBe(minor);
  });

  it.each([
    ['a fraction of a kobo', '12.345', 'NGN'],
    ['a fraction of a yen', 0.5, 'JPY'],
    ['a fraction of a fils', '1.2345', 'KWD'],
    ['a number that was computed in binary', 0.1 + 0.2, 'USD'],
    ['a negative amount', -1, 'NGN'],
    ['an amount above 2^53', '90071992547409.92', 'NGN'],
    ['an exponent', 1e21, 'NGN'],
    ['no number', Number.NaN, 'NGN'],
    ['infinity', Number.POSITIVE_INFINITY, 'NGN'],
    ['no text', '', 'NGN'],
    ['text with a group', '12,500.00', 'NGN'],
    ['spaces', ' 12', 'NGN'],
    ['a currency that is no code', 12, 'naira'],
  ])('refuses %s', (_name, amount, currency) => {
    expect(() => toMinorUnits(amount, currency)).toThrow(RangeError);
  });
});

describe('toMajorUnits', () => {
  it.each([
    [1_250_000, 'NGN', '12500.00'],
    [5, 'USD', '0.05'],
    [500, 'JPY', '500'],
    [1234, 'KWD', '1.234'],
    [0, 'NGN', '0.00'],
  ])('makes %s of %s %s', (value, currency, major) => {
    expect(toMajorUnits({ value, currency })).toBe(major);
  });

  it('is what toMinorUnits takes back, for every amount', () => {
    fc.assert(
      fc.property(fc.maxSafeNat(), fc.constantFrom('NGN', 'USD', 'JPY', 'KWD'), (value, currency) => {
        expect(toMinorUnits(toMajorUnits({ value, currency }), currency)).toBe(value);
      }),
    );
  });
});
