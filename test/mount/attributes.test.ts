import { expect, it } from 'vitest';
import { attributeOptions, readAttributes } from '../../src/mount/options/attributes.ts';
import { optionNames } from '../../src/mount/options/options.ts';

/** What cannot be written, or is written in another way: `theme` and `density` for `appearance`. */
const unwritten = ['session', 'text', 'languages', 'appearance'];

it('every option can be written, or is known to be one that cannot', () => {
  expect([...attributeOptions, ...unwritten].sort()).toEqual([...optionNames].sort());
});

it('what is written is read in the form of its option', () => {
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

it('what is no JSON is not taken for nothing', () => {
  expect(typeof readAttributes((name) => (name === 'body' ? '{orderId:7}' : undefined)).body).toBe('symbol');
});
