import { expect, it } from 'vitest';
import { createTransferCheckout } from '../../../src/index.ts';
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
    baseUrl: '/pay',
    body: '{"orderId":"7"}',
    ussd: '[]',
    returnAfterSeconds: '5',
    shareDetails: '',
    theme: 'dark',
    density: 'compact',
  };
  expect(readAttributes((name) => written[name])).toEqual({
    ...Object.fromEntries(attributeOptions.map((name) => [name, name])),
    baseUrl: '/pay',
    body: { orderId: '7' },
    ussd: [],
    returnAfterSeconds: 5,
    shareDetails: true,
    appearance: { theme: 'dark', density: 'compact' },
  });
});

it.each(['{orderId:7}', '', 'order-7', '7', 'null', 'true', '"{}"', '[{"orderId":"7"}]'])(
  'a body of %j is refused: it is no JSON object',
  (body) => {
    const options = readAttributes((name) => ({ body })[name]);
    expect(() => createTransferCheckout(options)).toThrow('The option body must be a JSON object.');
  },
);

it.each(['*901#', '[*901#]', '{}', 'null', '0'])('ussd of %j is refused: it is no JSON list', (ussd) => {
  const options = readAttributes((name) => ({ ussd })[name]);
  expect(() => createTransferCheckout(options)).toThrow('The option ussd must be a JSON list.');
});

it('an empty ussd is left out', () => {
  expect(readAttributes((name) => ({ ussd: '' })[name]).ussd).toBeUndefined();
});
