import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isValidAccountNumber, mintAccountNumber } from '../../../../../server-kit/tools/sandbox/index.ts';

const bankCodes = fc.integer({ min: 0, max: 999 }).map((code) => String(code).padStart(3, '0'));
const serials = fc.integer({ min: 0, max: 999_999_999 });

describe('account numbers', () => {
  it('agree with the published example: First Bank 011, serial 000001457', () => {
    expect(mintAccountNumber('011', 1457)).toBe('0000014579');
    expect(isValidAccountNumber('011', '0000014579')).toBe(true);
  });

  it('have the check digit 0 when the sum is a multiple of ten', () => {
    // 0 x every weight: the sum is 0, and 10 - 0 is written as 0.
    expect(mintAccountNumber('000', 0)).toBe('0000000000');
  });

  it('are valid at their bank for every serial', () => {
    fc.assert(
      fc.property(bankCodes, serials, (bankCode, serial) => {
        const number = mintAccountNumber(bankCode, serial);
        expect(number).toMatch(/^\d{10}$/);
        expect(isValidAccountNumber(bankCode, number)).toBe(true);
      }),
    );
  });

  it('are invalid with any one digit changed', () => {
    const change = fc.record({ position: fc.nat(9), by: fc.integer({ min: 1, max: 9 }) });
    fc.assert(
      fc.property(bankCodes, serials, change, (bankCode, serial, { position, by }) => {
        const digits = [...mintAccountNumber(bankCode, serial)];
        digits[position] = String((Number(digits[position]) + by) % 10);
        expect(isValidAccountNumber(bankCode, digits.join(''))).toBe(false);
      }),
    );
  });

  it.each([
    ['11', 1],
    ['0111', 1],
    ['abc', 1],
    ['011', -1],
    ['011', 1_000_000_000],
    ['011', 1.5],
    ['011', Number.NaN],
  ])('cannot be minted for bank %s and serial %d', (bankCode, serial) => {
    expect(() => mintAccountNumber(bankCode, serial)).toThrow(RangeError);
  });

  it.each(['', '000001457', '00000145790', '000001457x', '٠٠٠٠٠١٤٥٧٩', '0000014579\n'])(
    'are not "%s"',
    (number) => expect(isValidAccountNumber('011', number)).toBe(false),
  );
});
