import fc from 'fast-check';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import type { Endpoint } from '../../../server-kit/core/endpoints.ts';
import { endpoints, type Operation } from '../../../server-kit/service/endpoints.ts';
import { toDedicatedAccountView } from '../../../server-kit/service/index.ts';
import { initiation, leastResponses } from '../kit/client-kit.ts';
import { faultsOf, readResponse } from '../kit/read-response.ts';

const responses = Object.entries(leastResponses).map(([name, least]) => ({
  name,
  least: ('data' in least ? (least.data as object[])[0] : least) as Record<string, unknown>,
  response: endpoints[name as Operation].response as v.GenericSchema & { entries: v.ObjectEntries },
}));

describe.each(responses)('a response to $name', ({ name, least, response }) => {
  const optional = Object.keys(response.entries).filter((field) => !(field in least));

  it('keeps unknown fields', () => {
    expect(v.parse(response, { ...least, newField: [{ deep: 1 }] })).toMatchObject({
      newField: [{ deep: 1 }],
    });
  });

  it('is accepted whatever its optional fields contain', () => {
    const { amounts }: Endpoint = endpoints[name as Operation];
    // An unreadable amount must never be ignored; `?` marks fees.
    const own = (amounts?.response ?? []).map((field) => field.replace(/\..*/, ''));
    // Nor may the account to pay into be another than it seems.
    const strict = [...own, 'accountNumber', 'accountName', 'bankName'];
    const harmless = optional.filter((field) => !strict.includes(field));
    const oddFields = fc.record(Object.fromEntries(harmless.map((field) => [field, fc.jsonValue()])), {
      requiredKeys: [],
    });
    fc.assert(
      fc.property(oddFields, (odd) => v.is(response, { ...odd, ...least })),
      { numRuns: 50 },
    );
  });

  it.each(Object.keys(least))('is refused without its %s', (field) => {
    const { [field]: left, ...rest } = least;
    // A missing chargedAmount is unknown, not zero.
    expect(faultsOf(response, rest)).toEqual(field === 'chargedAmount' ? [] : [field]);
    expect(left).toBeDefined();
  });
});

describe('a hosted link', () => {
  it.each([{ expiresAt: null }, { expiresAt: 'soon' }, { amount: null }])('is accepted with %j', (change) => {
    expect(readResponse('checkout.create', change)).toMatchObject(leastResponses['checkout.create']);
  });

  it('is refused if its page’s URL is a script, but may return to an app', () => {
    const read = () => readResponse('checkout.create', { authorizationUrl: 'javascript:alert(1)' });
    expect(read).toThrow(expect.objectContaining({ params: ['authorizationUrl'] }));
    expect(readResponse('checkout.create', { returnUrl: 'myapp://back' }).returnUrl).toBe('myapp://back');
  });
});

it.each([null, undefined, 7])('gives an account without a name an empty one: %j', (accountName) => {
  expect(readResponse('payments.initiate', { accountName }).accountName).toBe('');
});

/** Not what they seem: bidirectional, zero-width and control characters, and separators of lines. */
const hidden = [
  ...'\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f\u061c',
  ...'\u200b\u2060\ufeff\u00ad\u2028\u2029\u0000\n\u0085',
];
const dedicated = { id: '1', accountNumber: '9990000018', accountName: 'Shop', bankName: 'Bank' };

describe.each([
  ['payments.initiate', initiation],
  ['dedicatedAccounts.retrieve', dedicated],
] as const)('the account of a response to %s', (operation, account) => {
  const read = (change: object): unknown => readResponse(operation, { ...account, ...change });
  const refusal = (param: string, fault: string) =>
    expect.objectContaining({
      code: 'invalid_response',
      params: [param],
      message: expect.stringContaining(`${param}: must ${fault}`),
    });

  it.each([
    ...hidden.map((character) => `99900${character}00018`),
    ...['9990O00018', 'GB29NWBK', '９９９００００01８', '٩٩٩٠٠٠٠٠١٨', '999\u00a0000', '+9990000018'],
    ...['9990000018\u200d', '9990000018\u0301', ' ', '-9990000018', 'https://evil.example'],
  ])('is refused with the number %j, which the error does not quote', (accountNumber) => {
    const act = () => read({ accountNumber });
    expect(act).toThrow(refusal('accountNumber', 'be digits'));
    expect(act).not.toThrow(accountNumber.trim() || '" "');
  });

  it.each(['9990000018', '999 000 0018', '999-000-0018', '0'])('is accepted with the number %s', (number) => {
    expect(read({ accountNumber: number })).toMatchObject({ accountNumber: number });
  });

  it.each(hidden)('is refused with %j in a name', (character) => {
    for (const name of ['accountName', 'bankName'])
      expect(() => read({ [name]: `Ko${character}la` })).toThrow(refusal(name, 'not have hidden characters'));
  });

  it.each(['Kọ́lá’s Bookshop & Sons', 'كتب', 'क्\u200dष', 'می\u200cخواهم', 'Ọjà 👩‍👧'])(
    'is accepted with the name %s, in any script',
    (name) => {
      const names = { accountName: name, bankName: name };
      expect(read(names)).toMatchObject(names);
    },
  );
});

it('a dedicated account without a number, name or bank is accepted', () => {
  const read = (change: object) => readResponse('dedicatedAccounts.retrieve', change);
  const missing = { accountNumber: null, accountName: null };
  expect(read({ ...missing, bankName: 7 })).toEqual({ id: '1', ...missing });
  expect(read({ accountNumber: '' })).toEqual({ id: '1', accountNumber: '' });
});

it.each([
  ['dedicatedAccounts.retrieve', ['status', 'type', 'currency', 'acceptedAmountPolicy']],
  ['payments.retrieve', ['status', 'paymentMethod', 'paymentChannel', 'currency', 'acceptedAmountPolicy']],
  ['invoices.cancel', ['status', 'currency']],
  ['payouts.retrieve', ['status', 'confirmationState', 'currency']],
  ['taxRates.retrieve', ['taxType', 'rateType']],
  ['apps.update', ['bankingType']],
  ['dedicatedAccounts.create', ['status']],
] as const)('an unknown enum value reaches the caller unchanged in a response to %s: %j', (name, fields) => {
  const words = Object.fromEntries(fields.map((field) => [field, `new_${field}`]));
  expect(readResponse(name, words)).toMatchObject(words);
});

describe('a nested object of a response', () => {
  it('keeps valid and unknown fields, and drops invalid ones', () => {
    const initiation = { actor: 'user', user: { email: 'a@b.example', role: 'owner' }, apiKey: null };
    const approval = { approvedBy: 'Ada', approvedAt: '2026-03-01T13:00:00+01:00' };
    expect(readResponse('payouts.retrieve', { initiation: { ...initiation, ip: 7 }, approval })).toEqual({
      id: '1',
      initiation,
      approval: { ...approval, approvedAt: '2026-03-01T12:00:00.000Z' },
    });
  });

  it('keeps unknown fields of a bank and of a customer', () => {
    const bank = { id: '1', name: 'Bank', cbnCode: '044', nibssCode: '000014', swift: 'X' };
    expect(readResponse('dedicatedAccounts.retrieve', { bank })).toMatchObject({ bank });
    const customer = { id: '1', name: 'Ada', isBlacklisted: false, vip: true };
    expect(readResponse('payments.initiate', { customer })).toMatchObject({ customer });
  });
});

const account = {
  id: 'dac_1',
  accountNumber: '8100000999',
  accountName: 'Ada Obi',
  bankName: 'Bank',
  currency: 'NGN',
  status: 'active',
  liveMode: false,
};

describe('toDedicatedAccountView', () => {
  it('gives what a shopper needs to pay into it, and nothing else', () => {
    expect(toDedicatedAccountView(account)).toEqual({
      account: { number: '8100000999', name: 'Ada Obi', bankName: 'Bank' },
      currency: 'NGN',
      liveMode: false,
    });
  });

  it.each([
    { status: 'expired' },
    { status: 'no_post_no_debit' },
    { status: undefined },
    { accountNumber: undefined },
    { bankName: undefined },
    { currency: undefined },
  ])('gives nothing of one with %o', (change) => {
    expect(toDedicatedAccountView({ ...account, ...change })).toBeUndefined();
  });

  it('calls it no test where the service does not say', () => {
    const view = toDedicatedAccountView({ ...account, liveMode: undefined, accountName: undefined });
    expect(view).toMatchObject({ liveMode: true, account: { name: '' } });
  });
});
