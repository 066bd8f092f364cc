import { describe, expect, it } from 'vitest';
import { formatMoney, parseAmount } from '../../../../../server-kit/tools/sandbox/pages/format/money.ts';

describe('parseAmount', () => {
  it.each([
    ['12500', 1_250_000],
    ['12,500.5', 1_250_050],
    [' 0.29 ', 29],
    ['1,234,567.89', 123_456_789],
    ['90071992547409.91', 9_007_199_254_740_991],
  ])('reads "%s" as %i kobo', (text, value) => {
    expect(parseAmount(text, 'NGN')).toEqual({ value });
  });

  it.each(['', 'abc', '-5', '1.234', '1,23', '1.', '.5', '0', '0.00', '1e5', '90071992547409.92', 'NGN 5'])(
    'refuses "%s", and says what to type',
    (text) => {
      expect(parseAmount(text, 'NGN')).toEqual({ problem: expect.stringMatching(/^Type /) });
    },
  );
});

describe('formatMoney', () => {
  it.each([
    [1_250_000, '₦12,500.00'],
    [5, '₦0.05'],
    [9_007_199_254_740_991, '₦90,071,992,547,409.91'],
  ])('writes %i kobo as %s', (value, text) => {
    expect(formatMoney({ value, currency: 'NGN' }).replace(/\s/g, ' ')).toBe(text);
  });
});
