import { expect, it } from 'vitest';
import {
  attributeName,
  attributeOptions,
  readAttributes,
  writeAttributes,
} from '../../src/entry/attributes.ts';
import { createTransferCheckout } from '../../src/index.ts';

/** Each attribute with the value of its option. */
const written: Record<string, readonly [attribute: string, value: unknown]> = {
  baseUrl: ['/pay', '/pay'],
  credentials: ['include', 'include'],
  body: ['{"orderId":"7"}', { orderId: '7' }],
  orderKey: ['7', '7'],
  merchantName: ['Kola', 'Kola'],
  returnUrl: ['/orders', '/orders'],
  returnAfterSeconds: ['5', 5],
  supportUrl: ['/help', '/help'],
  supportEmail: ['help@shop.example', 'help@shop.example'],
  payLink: ['/pay/7', '/pay/7'],
  shareDetails: ['', true],
  ussd: ['[]', []],
  refundTime: ['within 2 days', 'within 2 days'],
  currencyDisplay: ['code', 'code'],
  locale: ['en fr', 'en fr'],
  logo: ['/logo.svg', '/logo.svg'],
  theme: ['dark', 'dark'],
  density: ['compact', 'compact'],
};

it('the attributes are these', () => {
  expect([...attributeOptions].sort()).toEqual(Object.keys(written).sort());
});

it.each(Object.entries(written))(
  'the attribute of %s is read in the form of its option, and written so that it is read again',
  (name, [text, value]) => {
    const { appearance, ...options } = readAttributes((each) => (each === name ? text : undefined));
    expect({ ...options, ...appearance }).toEqual({ [name]: value });
    const attributes = writeAttributes(options);
    const readAgain = readAttributes((each) => {
      const again = attributes[attributeName(each)];
      return again === undefined ? undefined : `${again}`;
    });
    expect(readAgain).toEqual({ ...options, appearance: {} });
  },
);

it.each([
  [
    { locale: ['en', 'fr'], returnAfterSeconds: 5 },
    { locale: 'en fr', 'return-after-seconds': 5 },
  ],
  [{ text: {}, languages: {} }, {}],
])('the options %j are written as %j', (options, attributes) => {
  expect(writeAttributes(options)).toEqual(attributes);
});

it.each(['{orderId:7}', 'order-7', '7', 'null', 'true', '"{}"', '[{"orderId":"7"}]'])(
  'a body of %j is refused: it is not a JSON object',
  (body) => {
    const options = readAttributes((name) => ({ body })[name]);
    expect(() => createTransferCheckout(options)).toThrow('The option body must be a JSON object.');
  },
);

it('is left out where it is empty, except a flag', () => {
  expect(readAttributes(() => ' ')).toEqual({ shareDetails: true, appearance: {} });
});

it.each(['false', '0', 'off', 'No'])('a flag of %j is off', (text) => {
  expect(readAttributes((name) => ({ shareDetails: text })[name]).shareDetails).toBe(false);
});
