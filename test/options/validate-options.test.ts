import { describe, expect, expectTypeOf, it } from 'vitest';
import { CheckoutError, type Session } from '../../src/contract/index.ts';
import { earlyRequestOf } from '../../src/entry/early-session.ts';
import { type CheckoutOptions, optionNames, validateOptions } from '../../src/options/options.ts';
import { sessionOf } from '../core/views.ts';

const address = [
  ['', '/orders', 'orders?a=1#b', '//shop.example/help', 'https://shop.example'],
  ['javascript:alert(1)', 'java\nscript:alert(1)', 'data:text/html,x', 'http://[', {}],
  'an http(s) URL or a path',
] as const;

const ussdOf = (template: string) => [{ bank: 'Ada Bank', template }];

/** For each option that is checked: values that it accepts, values that it refuses, and what the error says that it must be. */
const checked: { readonly [name: string]: readonly [readonly unknown[], readonly unknown[], string] } = {
  baseUrl: [
    ['/', '/pay/', 'http://localhost:3000', 'https://pay.kolas-bookshop.example/checkout/'],
    ['checkout', 'javascript:x', '//evil.example', '/\\evil.example', '/checkout?x=1', '/a#b', 5],
    'a path such as "/checkout", or an http(s) URL, without query',
  ],
  returnUrl: address,
  supportUrl: address,
  payLink: address,
  credentials: [['include', 'Same_Origin', ''], ['always'], 'one of same-origin, include, omit'],
  body: [[{ a: [1] }, 'order-7', 7], [1n, () => {}], 'a value that JSON can represent'],
  returnAfterSeconds: [[3], [2, 3.5, '5'], 'a whole number, 3 or more'],
  supportEmail: [
    ['help@shop.example', 'mailto:help@shop.example', ''],
    ['nobody', 'a@b?bcc=c@d', 5, ['a@b']],
    'an e-mail address',
  ],
  ussd: [
    [[], ussdOf('*901*{amount}*{account}#')],
    [...['*737*{amount}*6666666666#', '1*901*{account}#', '*901*{account}#1'].map(ussdOf), [null], {}],
    'a list such as [{ bank: "…", template: "*901*{amount}*{account}#" }]',
  ],
};

/** The same for options that only concern the look: a value that is refused is reported, and left out. */
const checkedLooks: typeof checked = {
  logo: [
    [
      '',
      '/logo.svg',
      'http://shop.example/logo.png',
      { src: 'data:image/svg+xml,%3Csvg/%3E', alt: 'Kola’s' },
    ],
    ['javascript:alert(1)', 'data:text/html,<script>', 'ftp://shop.example/logo.png', 5, { src: 5 }],
    'an http(s) URL, a path, or a data URL of an image',
  ],
  locale: [
    ['auto', ' fr ', 'en  ha yo', ['en', 'fr-CA']],
    ['not a tag', 5, {}, ['fr', ['en']], ['auto', 'fr'], 'fr auto'],
    '"auto", a language tag such as "fr", or several',
  ],
  languages: [
    [{}, { yo: {}, 'pt-BR': async () => ({}) }],
    ['x', { 'not a tag': {} }, () => ({})],
    'an object by language tag, such as { yo: { … } }',
  ],
  currencyDisplay: [['code', 'CODE', ''], ['name'], 'one of symbol, code'],
  'appearance.theme': [['dark', 'Dark', '', null], ['sepia', 5], 'one of light, dark, auto'],
  'appearance.density': [['compact', ''], ['tight'], 'one of comfortable, compact'],
};

const optionOf = (path: string, value: unknown): CheckoutOptions =>
  path.split('.').reduceRight((inner: unknown, name) => ({ [name]: inner }), value) as CheckoutOptions;

const accepted: readonly CheckoutOptions[] = [
  {},
  { merchantName: 'Kola’s', appearance: { variables: { accent: 'gold' } }, onSucceeded: () => {} },
  ...[undefined, null].map((none) => Object.fromEntries(optionNames.map((name) => [name, none]))),
  ...Object.entries({ ...checked, ...checkedLooks }).flatMap(([name, [values]]) =>
    values.map((value) => optionOf(name, value)),
  ),
];

const refused: readonly (readonly [options: object, message: string | RegExp])[] = [
  ...Object.entries(checked).flatMap(([name, [, values, expected]]) =>
    values.map((value) => [optionOf(name, value), `The option ${name} must be ${expected}.`] as const),
  ),
  ...['baseUrl', 'returnUrl', 'payLink', 'body', 'ussd'].map(
    (name) => [{ [name]: Symbol('what it says') }, `The option ${name} must be what it says.`] as const,
  ),
  [{ baseURL: '/pay' }, /^Unknown option baseURL\. Use one of baseUrl, credentials, .*onClose\.$/],
  [{ onPaid: () => {} }, /^Unknown option onPaid\. Use one of/],
  [{ appearance: 'dark' }, 'The option appearance must be an object.'],
  [{ toString: 'x' }, /^Unknown option toString\./],
  [{ merchantName: 'Kola’s', baseURL: '/pay' }, /^Unknown option baseURL\./],
  [{ merchant: undefined }, /^Unknown option merchant\./],
  [
    { appearance: { them: 'dark' } },
    /^Unknown option appearance\.them\. Use one of theme, density, variables\.$/,
  ],
  [
    { appearance: { variables: { acent: 'x' } } },
    /^Unknown option appearance\.variables\.acent\. Use one of accent,/,
  ],
];

describe('the options', () => {
  it.each(accepted)('may be %j, and then a session is requested early', (options) => {
    const { baseUrl = '/checkout' } = validateOptions(options, (leftOut) => expect.fail(leftOut.message));
    expect(earlyRequestOf(options)).toMatchObject({ baseUrl: baseUrl.replace(/\/$/, '') });
  });

  it.each(refused)('may not be %o, and no session is requested early', (options, message) => {
    expect(() => validateOptions(options)).toThrow(CheckoutError);
    expect(() => validateOptions(options)).toThrow(message);
    expect(() => validateOptions(options)).toThrow(expect.objectContaining({ code: 'invalid_options' }));
    expect(earlyRequestOf(options)).toBeUndefined();
  });

  it.each(
    Object.entries(checkedLooks).flatMap(([name, [, values, expected]]) =>
      values.map((value) => [name, value, expected] as const),
    ),
  )('of %s never hides the account: %o is reported and left out', (name, value, expected) => {
    const problems: string[] = [];
    const valid = validateOptions(optionOf(name, value), ({ message }) => problems.push(message));
    expect(problems).toEqual([`The option ${name} must be ${expected}.`]);
    expect(JSON.stringify(valid.appearance ?? valid)).toBe('{}');
    expect(earlyRequestOf(optionOf(name, value))).toBeDefined();
  });

  it.each([
    ['en_US', 'en-US'],
    ['EN fr_ca', 'en fr-CA'],
    ['Auto', 'auto'],
    [' en   fr', 'en fr'],
  ])('name a language by %j as by %j', (given, locale) => {
    expect(validateOptions({ locale: given }).locale).toBe(locale);
  });

  it('take an e-mail address as a link writes it', () => {
    const { supportEmail } = validateOptions({ supportEmail: ' MailTo:help@shop.example' });
    expect(supportEmail).toBe('help@shop.example');
  });

  it.each<[unknown, boolean]>([
    ...['false', ' False ', '0', 'off', 'no', false, 0].map((off): [unknown, boolean] => [off, false]),
    ...['true', 'false alarm', 'not off', true, 1].map((on): [unknown, boolean] => [on, true]),
  ])('read the flag %j as %j', (given, isOn) => {
    expect(validateOptions({ shareDetails: given as boolean }).shareDetails).toBe(isOn);
  });

  it('are all there once they are valid, and null is the same as leaving one out', () => {
    const left = Object.fromEntries(optionNames.map((name) => [name, undefined]));
    expect(validateOptions({ merchantName: 'Kola', locale: null as never })).toEqual({
      ...left,
      merchantName: 'Kola',
    });
    const appearance = { theme: null, variables: null, density: 'compact' } as never;
    expect(validateOptions({ appearance }).appearance).toEqual({ density: 'compact' });
  });

  it('have the types of the table', () => {
    expectTypeOf<CheckoutOptions['credentials']>().toEqualTypeOf<RequestCredentials | undefined>();
    expectTypeOf<CheckoutOptions['session']>().toEqualTypeOf<Session | undefined>();
    // @ts-expect-error an unknown theme
    void ({ appearance: { theme: 'sepia' } } satisfies CheckoutOptions);
    // @ts-expect-error an unknown option
    void ({ merchant: 'Kola' } satisfies CheckoutOptions);
  });

  it('request no session early if they contain one', () => {
    expect(earlyRequestOf({ session: sessionOf() })).toBeUndefined();
  });
});
