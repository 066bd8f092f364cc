import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { convertAmounts, fromWireAmount, toWireAmount } from '../../../server-kit/api/amount-unit.ts';

describe('amounts in major units', () => {
  it.each([
    [0, 0],
    [1, 0.01],
    [29, 0.29],
    [100, 1],
    [-5, -0.05],
    [-1234, -12.34],
    [1_250_000, 12_500],
  ])('%i kobo are %d on the wire, and back', (minor, wire) => {
    expect(toWireAmount(minor, 'major')).toBe(wire);
    expect(fromWireAmount(wire, 'major')).toBe(minor);
  });

  it('come back as they went, for every amount that money has', () => {
    const anyAmount = fc.integer({ min: -1e13, max: 1e13 });
    fc.assert(
      fc.property(anyAmount, (minor) => fromWireAmount(toWireAmount(minor, 'major'), 'major') === minor),
    );
  });

  it('are refused where a number cannot hold their digits, instead of being sent as others', () => {
    expect(() => toWireAmount(7_036_874_417_766_401, 'major')).toThrow(RangeError);
    expect(toWireAmount(7_036_874_417_766_400, 'major')).toBe(70_368_744_177_664);
  });

  it.each([0.001, 12.345, 1e21, 1e-7, Number.NaN])('%d is no whole number of kobo', (wire) => {
    expect(() => fromWireAmount(wire, 'major')).toThrow(RangeError);
  });
});

describe('amounts in minor units', () => {
  it('stay as they are', () => {
    expect(toWireAmount(29, 'minor')).toBe(29);
    expect(fromWireAmount(29, 'minor')).toBe(29);
  });

  it.each([0.5, 2 ** 53, Number.POSITIVE_INFINITY])('cannot be %d', (wire) => {
    expect(() => fromWireAmount(wire, 'minor')).toThrow(RangeError);
  });
});

describe('converting a record', () => {
  const convert = (amount: number) => fromWireAmount(amount, 'minor');

  it('reaches nested fields, and leaves the record and all else alone', () => {
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

  it('makes a field undefined that nothing depends on, and does not fit, and adds none', () => {
    const record = { fee: 7.5, vat: 5 };
    const converted = convertAmounts(record, ['fee?', 'vat?', 'emtl?'], convert);
    expect(converted).toStrictEqual({ fee: undefined, vat: 5 });
  });

  it.each([[null], ['text'], [undefined]])('leaves %j alone', (record) => {
    expect(convertAmounts(record, ['amount.value'], convert)).toBe(record);
  });
});
