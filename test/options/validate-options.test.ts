import { describe, expect, expectTypeOf, it } from 'vitest';
import { CheckoutError, type Session } from '../../src/contract/index.ts';
import { earlyRequestOf } from '../../src/mount/early-session/early-request.ts';
import { type CheckoutOptions, optionNames } from '../../src/options/options.ts';
import { validateOptions } from '../../src/options/validate-options.ts';
import { sessionOf } from '../core/views.ts';

const serverUrl = 'The option baseUrl must be a path such as "/checkout", or an http(s) URL, without query.';
const ussd = 'The option ussd must be a list such as [{ bank: "…", template: "*901*{amount}*{account}#" }].';
const urlOr = (name: string): string => `The option ${name} must be an http(s) URL or a path.`;
const logo = 'The option logo must be an http(s) URL, a path, or a data URL of an image.';

const valid: readonly CheckoutOptions[] = [
  {},
  { baseUrl: 'https://pay.kolas-bookshop.example/checkout/' },
  { baseUrl: 'http://localhost:3000', returnUrl: '/orders', supportEmail: 'help@shop.example' },
  { returnUrl: '', supportUrl: '', payLink: '', logo: '', supportEmail: '' },
  { returnUrl: 'orders?a=1#b', supportUrl: '//shop.example/help' },
  { locale: 'auto', appearance: { density: 'compact', variables: { accent: 'gold' } } },
  { locale: 'en ha yo' },
  { locale: ['en', 'fr-CA'] },
  { merchantName: 'Kola’s', body: { a: [1] }, onSucceeded: () => {}, logo: '/logo.svg' },
  { logo: { src: 'data:image/svg+xml,%3Csvg/%3E', alt: 'Kola’s' }, returnAfterSeconds: 3 },
  { ussd: [{ bank: 'Ada Bank', template: '*901*{amount}*{account}#' }] },
  Object.fromEntries(optionNames.map((name) => [name, undefined])),
  Object.fromEntries(optionNames.map((name) => [name, null])),
  { appearance: { theme: null } } as never,
];

const invalid: readonly (readonly [options: object, message: string | RegExp])[] = [
  ...[
    'checkout',
    'javascript:alert(1)',
    '//evil.example',
    '/\\evil.example',
    '/checkout?x=1',
    '/a#b',
    '',
    5,
  ].map((baseUrl) => [{ baseUrl }, serverUrl] as const),
  ...['returnUrl', 'supportUrl', 'payLink'].flatMap((name) =>
    ['javascript:alert(1)', 'java\nscript:alert(1)', 'data:text/html,x', 'http://[', {}].map(
      (url) => [{ [name]: url }, urlOr(name)] as const,
    ),
  ),
  ...['javascript:alert(1)', 'data:text/html,<script>', 'ftp://shop.example/logo.png', 5, { src: 5 }].map(
    (src) => [{ logo: src }, logo] as const,
  ),
  [{ credentials: 'always' }, 'The option credentials must be one of same-origin, include, omit.'],
  [{ currencyDisplay: 'name' }, 'The option currencyDisplay must be one of symbol, code.'],
  ...[1n, () => {}].map(
    (body) => [{ body }, 'The option body must be a value that JSON can represent.'] as const,
  ),
  ...[2, 3.5, '5'].map(
    (returnAfterSeconds) =>
      [{ returnAfterSeconds }, 'The option returnAfterSeconds must be a whole number, 3 or more.'] as const,
  ),
  ...['nobody', 'a@b?bcc=c@d', 5].map(
    (supportEmail) => [{ supportEmail }, 'The option supportEmail must be an e-mail address.'] as const,
  ),
  ...['not a tag', '', 5, {}].map(
    (locale) =>
      [{ locale }, 'The option locale must be "auto", a language tag such as "fr", or several.'] as const,
  ),
  [{ ussd: [{ bank: 'Ada Bank', template: '*737*{amount}*6666666666#' }] }, ussd],
  [{ ussd: [null] }, ussd],
  [{ ussd: {} }, ussd],
  [{ appearance: { theme: 'sepia' } }, 'The option appearance.theme must be one of light, dark, auto.'],
  [
    { appearance: { density: 'tight' } },
    'The option appearance.density must be one of comfortable, compact.',
  ],
  [{ baseURL: '/pay' }, /^Unknown option baseURL\. Use one of baseUrl, credentials, .*onClose\.$/],
  [{ onPaid: () => {} }, /^Unknown option onPaid\. Use one of/],
  [{ toString: 'x' }, /^Unknown option toString\./],
  [{ merchant: undefined }, /^Unknown option merchant\./],
  [
    { appearance: { them: undefined } },
    'Unknown option appearance.them. Use one of theme, density, variables.',
  ],
  [
    { appearance: { variables: { acent: 'gold' } } },
    /^Unknown option appearance\.variables\.acent\. Use one of accent, on-accent, .*gap\.$/,
  ],
  ...['baseUrl', 'returnUrl', 'payLink', 'logo', 'body', 'ussd', 'merchantName'].map(
    (name) => [{ [name]: Symbol('what it says') }, `The option ${name} must be what it says.`] as const,
  ),
];

describe('the options', () => {
  it.each(valid)('may be %j, and then a session is requested early', (options) => {
    const { baseUrl = '/checkout' } = validateOptions(options);
    expect(earlyRequestOf(options)).toMatchObject({ baseUrl: baseUrl.replace(/\/$/, '') });
  });

  it.each(invalid)('may not be %o, and no session is requested early', (options, message) => {
    const refused = expect.objectContaining({
      code: 'invalid_options',
      message: typeof message === 'string' ? message : expect.stringMatching(message),
    });
    expect(() => validateOptions(options)).toThrow(refused);
    expect(() => validateOptions(options)).toThrow(CheckoutError);
    expect(earlyRequestOf(options)).toBeUndefined();
  });

  it('are all there once they are valid, and null is the same as leaving one out', () => {
    const left = Object.fromEntries(optionNames.map((name) => [name, undefined]));
    expect(validateOptions({ merchantName: 'Kola', locale: null as never })).toEqual({
      ...left,
      merchantName: 'Kola',
    });
  });

  it('have the types of the table', () => {
    expectTypeOf<CheckoutOptions['credentials']>().toEqualTypeOf<RequestCredentials | undefined>();
    expectTypeOf<CheckoutOptions['session']>().toEqualTypeOf<Session | undefined>();
    // @ts-expect-error an unknown theme
    void ({ appearance: { theme: 'sepia' } } satisfies CheckoutOptions);
    // @ts-expect-error an unknown option
    void ({ merchant: 'Kola' } satisfies CheckoutOptions);
  });

  it('with a session request none early', () => {
    expect(earlyRequestOf({ session: sessionOf() })).toBeUndefined();
  });
});
