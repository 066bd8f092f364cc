import { describe, expect, it } from 'vitest';
import { isStorable, parseStoredPaymentsToken, toStoredPaymentsToken } from '../../src/contract/index.ts';

const one = { reference: 'tc_7f3k9qxm2d4w', clientSecret: 'cs_test_t1_0a' };
const other = { reference: 'tc_000000000000', clientSecret: 'cs_live_zz_ff' };

describe('the token of the stored payments', () => {
  it('names payments and their secrets in order, in the form of a bearer token', () => {
    const token = toStoredPaymentsToken([one, other]);
    expect(token).toMatch(/^[\w.~+/-]+=*$/);
    expect(parseStoredPaymentsToken(token)).toEqual([one, other]);
  });

  it.each([
    ['an empty text', ''],
    ['a client secret alone', 'cs_test_t1_0a'],
    ['a reference without a secret', 'tc_1.'],
    ['three parts', 'a.b.c'],
    ['a line break', 'tc_1.cs\n1'],
    ['a reference of 201 characters', `${'a'.repeat(201)}.cs_1`],
  ])('ignores %s', (_name, token) => {
    expect(parseStoredPaymentsToken(token)).toEqual([]);
  });

  it('keeps the valid parts beside invalid ones, ten at most', () => {
    expect(parseStoredPaymentsToken(`~x~${toStoredPaymentsToken([one])}`)).toEqual([one]);
    expect(parseStoredPaymentsToken(toStoredPaymentsToken(Array(11).fill(one)))).toHaveLength(10);
  });

  it.each(['', 'two lines\n', 'a.b', 'a~b', 'a'.repeat(201)])(
    'refuses to store the reference %j',
    (reference) => {
      expect(isStorable({ ...one, reference })).toBe(false);
      expect(isStorable({ reference: one.reference, clientSecret: reference })).toBe(false);
    },
  );
});
