import fc from 'fast-check';
import * as v from 'valibot';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { PaymentInitiationRequest } from '../../../server-kit/core/endpoints.ts';
import { Email, Identifier, Metadata, Timestamp, WebUrl } from '../../../server-kit/core/fields.ts';
import { countryCodes } from '../../../server-kit/service/country-codes.ts';
import { endpoints } from '../../../server-kit/service/endpoints.ts';
import { business, individual } from '../kit/account-requests.ts';
import {
  appRegistration,
  createTestClient,
  failureOf,
  initiationRequest,
  linkRequest,
} from '../kit/client-kit.ts';
import { cpuMsOf } from '../kit/cpu-time.ts';
import { faultsOf } from '../kit/read-response.ts';

const { request: accountRequest } = endpoints['dedicatedAccounts.create'];
const kyc = (change: object) => ({ ...individual, kycProfile: { ...individual.kycProfile, ...change } });
const kyb = (change: object) => ({ ...business, kybProfile: { ...business.kybProfile, ...change } });
const identity = { type: 'nin', number: '1' };

it('the countries are the 249 of ISO 3166-1, without what is reserved or withdrawn', () => {
  const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
  expect(new Set(countryCodes).size).toBe(249);
  expect(countryCodes).toHaveLength(249);
  expect(countryCodes.filter((code) => names.of(code) === undefined)).toEqual([]);
  expect(countryCodes).toEqual(expect.arrayContaining(['NG', 'SS', 'BQ', 'CW', 'SX', 'AX']));
  expect(countryCodes.filter((code) => /^(UK|EU|AN|CS|SU|XK|ZZ)$/.test(code))).toEqual([]);
});

describe('a request for a dedicated account', () => {
  it.each([
    ['a person', individual],
    [
      'a person, with every optional field',
      kyc({ otherName: 'N', gender: 'female', bankAccountNumber: '1', bankId: '2' }),
    ],
    ['a person with two identities', kyc({ identities: [identity, { type: 'v_nin', number: '2' }] })],
    ['a person at a bank', { ...individual, preferredBank: 'any_bank' }],
    ['a person who was born on a leap day', kyc({ dateOfBirth: '2000-02-29' })],
    ['a business', business],
    ['a business without KYB details', { ...business, kybProfile: {} }],
  ])('may be for %s', (_name, body) => {
    expect(faultsOf(accountRequest, body)).toEqual([]);
  });

  it.each([
    ['callbackUrl', { ...individual, callbackUrl: 'shop.example' }],
    ['callbackUrl', { ...individual, callbackUrl: 'ftp://shop.example' }],
    ['currency', { ...individual, currency: 'EUR' }],
    ['accountType', { ...individual, accountType: 'company' }],
    ['accountName', { ...individual, accountName: '' }],
    ['email', { ...individual, email: 'ada' }],
    ['preferredBank', { ...individual, preferredBank: '' }],
    ['kybProfile', { ...individual, kybProfile: {} }],
    ['kycProfile.lastName', kyc({ lastName: '' })],
    ['kycProfile.gender', kyc({ gender: 'other' })],
    ['kycProfile.countryOfOrigin', kyc({ countryOfOrigin: 'ng' })],
    ['kycProfile.countryOfOrigin', kyc({ countryOfOrigin: 'NGA' })],
    ...['28/02/1990', '1990-02-28T00:00:00Z', '2001-02-29', '1900-02-29', '2000-04-31', '2000-13-01'].map(
      (dateOfBirth): [string, object] => ['kycProfile.dateOfBirth', kyc({ dateOfBirth })],
    ),
    ['kycProfile.identities', kyc({ identities: [] })],
    ['kycProfile.identities', kyc({ identities: [identity, identity, identity] })],
    ['kycProfile.identities.0.type', kyc({ identities: [{ ...identity, type: 'passport' }] })],
    ['kycProfile.identities.1.number', kyc({ identities: [identity, { type: 'bvn' }] })],
    ['kybProfile.gender', kyb({ gender: 'x' })],
    ['kybProfile.countryOfOrigin', kyb({ countryOfOrigin: 'XX' })],
    ['kybProfile.countryOfIncorporation', kyb({ countryOfIncorporation: 'XX' })],
    ['email', { ...business, email: 'office' }],
  ])('is refused for its %s: %j', (param, body) => {
    expect(faultsOf(accountRequest, body)).toEqual([param]);
  });

  it('accepts phone numbers that match the pattern, and no others', () => {
    const unit = fc.constantFrom(...'0123456789 -()+.x\t');
    fc.assert(
      fc.property(fc.string({ unit, minLength: 5, maxLength: 22 }), (phoneNumber) => {
        const isTaken = faultsOf(accountRequest, kyc({ phoneNumber })).length === 0;
        return isTaken === /^[\d\s\-()+]{7,20}$/.test(phoneNumber);
      }),
    );
  });

  it('passes on undocumented fields of a business, also with names that are special in JavaScript', () => {
    const keys = { constructor: 1, prototype: 2, toString: 3 };
    const body = { ...kyb({ ...keys, directors: [{ name: 'A' }] }), ...keys, taxId: '7' };
    expect(v.parse(accountRequest, body)).toEqual(body);
  });
});

describe('requests other than for a dedicated account', () => {
  const { request: initiate } = endpoints['payments.initiate'];
  const { request: link } = endpoints['checkout.create'];
  const { request: register } = endpoints['apps.register'];
  const { request: update } = endpoints['apps.update'];
  const { request: cancel } = endpoints['invoices.cancel'];
  const customer = { email: 'ada@example.com', name: 'Ada' };

  it.each([
    ['payments.initiate', initiate, { ...initiationRequest, customer, expiresIn: 1, metadata: {} }],
    ['apps.register', register, appRegistration],
    ['apps.register', register, { ...appRegistration, bankingType: 'business', andriodPackageName: 'x' }],
    ['apps.update', update, { iosTeamId: 'T', iosBundleId: 'B', andriodCertFingerprints: 'F' }],
    ['invoices.cancel', cancel, {}],
  ])('are accepted with valid fields: %s, %#', (_name, schema, body) => {
    expect(faultsOf(schema, body)).toEqual([]);
  });

  it.each([
    ['expiresIn', initiate, { ...initiationRequest, expiresIn: 0 }],
    ['amount.value', initiate, { ...initiationRequest, amount: { value: 0.5, currency: 'NGN' } }],
    ['amount.value', initiate, { ...initiationRequest, amount: { value: 0, currency: 'NGN' } }],
    ['amount.currency', initiate, { ...initiationRequest, amount: { value: 1, currency: 'EUR' } }],
    ['callbackUrl', initiate, { ...initiationRequest, callbackUrl: 'javascript:alert(1)' }],
    ['returnUrl', link, { ...linkRequest, returnUrl: 'data:text/html,x' }],
    ['paymentMethod', initiate, { ...initiationRequest, paymentMethod: 'card' }],
    ['customer.email', initiate, { ...initiationRequest, customer: { ...customer, email: 'ada' } }],
    ['scheme', register, { ...appRegistration, scheme: '' }],
    ['bankingType', update, { bankingType: 'none' }],
    ['androidPackageName', update, { androidPackageName: 'x' }],
  ])('are refused for their %s', (param, schema, body) => {
    expect(faultsOf(schema, body)).toEqual([param]);
  });
});

it.each([
  [
    'an e-mail address',
    Email,
    [
      ...[
        "o'brien@example.com",
        'info@xn--mnchen-3ya.de',
        'a@b.xn--p1ai',
        'x@a--b.com',
        'ada&co@example.com',
      ],
      ...['a!b@example.com', 'a#b@example.com', 'ada/x@example.com', 'first.last+tag@sub.example.co.uk'],
    ],
    ['ada', 'ada@', '@example.com', 'a b@example.com', 'a@b@example.com', 'ada@example..com', 'ada@-a.com'],
  ],
  [
    'a web address',
    WebUrl,
    [
      ...['https://shop.example', 'HTTPS://shop.example/x?y=1#z', 'http://[::1]:8080/'],
      ...['https://münchen.example/ü', 'https://shop.example/%zz'],
    ],
    [
      ...['https:shop.example/x', 'https:/shop.example', 'https:\\\\shop.example', 'https:/\\shop.example'],
      ...['https:///shop.example', ' https://shop.example', 'https://shop.example\n'],
      ...['https://shop.example/a b', 'https://shop.example/\u0000', 'https://shop.example\\@evil.example'],
      ...['https://a@evil.example', 'https://:b@evil.example', 'javascript://shop.example/%0aalert(1)'],
    ],
  ],
  [
    'a timestamp',
    Timestamp,
    ['2026-03-01T12:00:00Z'],
    [
      ...['2026-13-01T00:00:00Z', '2026-03-01T25:00:00Z', 'Tue, 01 Mar 2026 12:00:00 Z', 'T 5 Z'],
      ...['2026-03-01 12:00:00Z', '2026-03-01T12:00:00+01', ' 2026-03-01T12:00:00Z'],
      '2026-03-01T12:00:00Z\n',
    ],
  ],
  ['an id', Identifier, ['...', '.a', 'a/b', '%2e', ' ', '😀'], ['.', '..', '', '\ud800', 'a\udc00b']],
])('a field accepts what is %s, and nothing else', (_name, schema, accepted, refused) => {
  for (const text of accepted) expect(v.is(schema, text), text).toBe(true);
  for (const text of refused) expect(v.is(schema, text), text).toBe(false);
});

describe('a timestamp', () => {
  it.each([
    ['2026-03-01T12:00:00', '2026-03-01T12:00:00.000Z'],
    ['2026-03-01T12:00', '2026-03-01T12:00:00.000Z'],
    ['2026-03-01T12:00:00.5', '2026-03-01T12:00:00.500Z'],
    ['2026-03-01T12:00:00-01:00', '2026-03-01T13:00:00.000Z'],
  ])('is read as UTC, whatever the zone of the server: %s', (text, utc) => {
    vi.stubEnv('TZ', 'Africa/Lagos');
    onTestFinished(() => void vi.unstubAllEnvs());
    expect(v.parse(Timestamp, text)).toBe(utc);
  });

  it.each([
    ['letters', 'T'.repeat(200_000)],
    ['pairs', 'T+'.repeat(100_000)],
    ['decimals', `2026-03-01T12:00:00.${'0'.repeat(200_000)}x`],
  ])('is refused in linear time: %s', async (_name, text) => {
    expect(await cpuMsOf(() => expect(v.is(Timestamp, text)).toBe(false))).toBeLessThan(1000);
  });
});

it.each(['.', '..', '\ud800'])(
  'does not initiate or verify a payment under a reference that no path carries: %j',
  async (reference) => {
    const { payments, checkout } = createTestClient('http://127.0.0.1:9').client;
    const refusal = { code: 'invalid_request', params: ['reference'] };
    for (const call of [
      payments.initiate({ ...initiationRequest, reference }),
      checkout.create({ ...linkRequest, reference }),
      payments.verify(reference),
    ])
      expect(await failureOf(call)).toMatchObject(refusal);
  },
);

it('metadata may have an interface type, and may be an object without a prototype', () => {
  interface Cart {
    items: number;
  }
  const cart: Cart = { items: 2 };
  const metadata: PaymentInitiationRequest['metadata'] = cart;
  expect(v.is(Metadata, metadata)).toBe(true);
  expect(v.is(Metadata, Object.create(null))).toBe(true);
});
