import { expect, it } from 'vitest';
import { attributeOptions, readAttributes } from '../../../src/mount/options/attributes.ts';
import { optionNames } from '../../../src/mount/options/options.ts';

/** Options without an attribute, or with others: `theme` and `density` for `appearance`. */
const unwritten = ['session', 'text', 'languages', 'appearance'];

it('every option has an attribute, or is listed as one without', () => {
  expect([...attributeOptions, ...unwritten].sort()).toEqual([...optionNames].sort());
});

it('each attribute is read in the form of its option', () => {
  const written: Record<string, string> = {
    ...Object.fromEntries(attributeOptions.map((name) => [name, name])),
    body: '{"orderId":"7"}',
    ussd: '[]',
    returnAfterSeconds: '5',
    shareDetails: '',
    theme: 'dark',
    density: 'compact',
  };
  expect(readAttributes((name) => written[name])).toEqual({
    ...Object.fromEntries(attributeOptions.map((name) => [name, name])),
    body: { orderId: '7' },
    ussd: [],
    returnAfterSeconds: 5,
    shareDetails: true,
    appearance: { theme: 'dark', density: 'compact' },
  });
});

it('invalid JSON is not read as a missing option', () => {
  expect(typeof readAttributes((name) => (name === 'body' ? '{orderId:7}' : undefined)).body).toBe('symbol');
});
