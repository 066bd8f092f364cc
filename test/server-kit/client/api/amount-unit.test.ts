import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { convertAmounts, fromWireAmount, toWireAmount } from '../../../../server-kit/core/fields.ts';

describe('an amount in major units', () => {
  it.each([
    [0, 0],
    [1, 0.01],
    [29, 0.29],
    [100, 1],
    [-5, -0.05],
    [-1234, -12.34],
    [1_250_000, 12_500],
  ])('converts %i kobo to %d and back', (minor, wire) => {
    expect(toWireAmount(minor, 'major')).toBe(wire);
    expect(fromWireAmount(wire, 'major')).toBe(minor);
  });

  it('survives the round trip, for any amount', () => {
    const anyAmount = fc.integer({ min: -1e13, max: 1e13 });
    fc.assert(
      fc.property(anyAmount, (minor) => fromWireAmount(toWireAmount(minor, 'major'), 'major') === minor),
    );
  });

  it('is refused if a number cannot hold its digits', () => {
    expect(() => toWireAmount(7_036_874_417_766_401, 'major')).toThrow(RangeError);
    expect(toWireAmount(7_036_874_417_766_400, 'major')).toBe(70_368_744_177_664);
  });

  it.each([0.001, 12.345, 1e21, 1e-7, Number.NaN])(
    'refuses %d, which is not a whole number of kobo',
    (wire) => {
      expect(() => fromWireAmount(wire, 'major')).toThrow(RangeError);
    },
  );
});

describe('an amount in minor units', () => {
  it('stays unchanged', () => {
    expect(toWireAmount(29, 'minor')).toBe(29);
    expect(fromWireAmount(29, 'minor')).toBe(29);
  });

  it.each([0.5, 2 ** 53, Number.POSITIVE_INFINITY])('cannot be %d', (wire) => {
    expect(() => fromWireAmount(wire, 'minor')).toThrow(RangeError);
  });
});

describe('converting a record', () => {
  const convert = (amount: number) => fromWireAmount(amount, 'minor');

  it('converts nested fields, and leaves the record and its other fields alone', () => {
    const record = { amount: { value: 5, currency: 'NGN' }, other: 1.5 };
    expect(convertAmounts(record, ['amount.value'], () => 7)).toEqual({
      amount: { value: 7, currency: 'NGN' },
      other: 1.5,
    });
    expect(record.amount.value).toBe(5);
  });

  it.each([
    [{ chargedAmount: 1.5 }, ['chargedAmount'], /^chargedAmount: /],
    [{ amount: { value: 1.5 } }, ['amount.value'], /value: /],
  ])('names the field that does not fit: %j', (record, fields, message) => {
    expect(() => convertAmounts<object>(record, fields, convert)).toThrow(message);
  });

  it('makes an optional field that does not fit undefined, and adds no field', () => {
    const record = { fee: 7.5, vat: 5 };
    const converted = convertAmounts(record, ['fee?', 'vat?', 'emtl?'], convert);
    expect(converted).toStrictEqual({ fee: undefined, vat: 5 });
  });

  it.each([[null], ['text'], [undefined]])('leaves %j alone', (record) => {
    expect(convertAmounts(record, ['amount.value'], convert)).toBe(record);
  });
});
