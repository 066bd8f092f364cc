import fc from 'fast-check';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { defaultDialect } from '../../../server-kit/api/dialect.ts';
import { endpoints, type Operation } from '../../../server-kit/api/endpoints.ts';
import { parseResponse } from '../../../server-kit/client/request/parse-response.ts';
import { initiation, leastResponses } from '../kit/client-kit.ts';
import { faultsOf } from '../kit/faults-of.ts';

const responses = Object.entries(leastResponses).map(([name, least]) => ({
  name,
  least: least as Record<string, unknown>,
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
    const { amounts } = endpoints[name as Operation];
    // An unreadable amount must never be ignored; `?` marks fees.
    const own = amounts.response.map((field) => field.replace(/\..*/, ''));
    const harmless = optional.filter((field) => !own.includes(field));
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
  const link = leastResponses['checkout.create'];
  it.each([
    ['no expiry', { expiresAt: null }],
    ['an expiry that is no moment', { expiresAt: 'soon' }],
    ['no amount', { amount: null }],
  ])('is accepted with %s', (_name, change) => {
    const response = { status: 200, body: { ...link, ...change } };
    expect(parseResponse('checkout.create', response, defaultDialect)).toMatchObject(link);
  });
});

it('keeps the return URL of a hosted link that opens an app', () => {
  const response = { status: 200, body: { ...leastResponses['checkout.create'], returnUrl: 'myapp://back' } };
  expect(parseResponse('checkout.create', response, defaultDialect).returnUrl).toBe('myapp://back');
});

describe('an account without a name', () => {
  it.each([{ accountName: null }, { accountName: undefined }, { accountName: 7 }])(
    'has an empty one: %j',
    (change) => {
      const { response } = endpoints['payments.initiate'];
      expect(v.parse(response, { ...initiation, ...change }).accountName).toBe('');
    },
  );
});

describe('an unknown enum value', () => {
  it.each([
    ['dedicatedAccounts.retrieve', ['status', 'type', 'currency', 'acceptedAmountPolicy']],
    ['payments.retrieve', ['status', 'paymentMethod', 'paymentChannel', 'currency', 'acceptedAmountPolicy']],
    ['invoices.cancel', ['status', 'currency']],
    ['payouts.retrieve', ['status', 'confirmationState', 'currency']],
    ['taxRates.retrieve', ['taxType', 'rateType']],
    ['apps.update', ['bankingType']],
    ['dedicatedAccounts.create', ['status']],
  ] as const)('in a response to %s reaches the caller unchanged: %j', (name, fields) => {
    const words = Object.fromEntries(fields.map((field) => [field, `new_${field}`]));
    expect(v.parse(endpoints[name].response, { ...leastResponses[name], ...words })).toMatchObject(words);
  });
});

describe('a nested object of a response', () => {
  it('keeps valid and unknown fields, and drops invalid ones', () => {
    const payout = {
      id: '1',
      initiation: { actor: 'user', ip: 7, user: { email: 'a@b.example', role: 'owner' }, apiKey: null },
      approval: { approvedBy: 'Ada', approvedAt: '2026-03-01T13:00:00+01:00' },
    };
    expect(v.parse(endpoints['payouts.retrieve'].response, payout)).toEqual({
      id: '1',
      initiation: { actor: 'user', user: { email: 'a@b.example', role: 'owner' }, apiKey: null },
      approval: { approvedBy: 'Ada', approvedAt: '2026-03-01T12:00:00.000Z' },
    });
  });

  it('keeps unknown fields of a bank and of a customer', () => {
    const bank = { id: '1', name: 'Bank', cbnCode: '044', nibssCode: '000014', swift: 'X' };
    expect(v.parse(endpoints['dedicatedAccounts.retrieve'].response, { id: '1', bank })).toMatchObject({
      bank,
    });
    const customer = { id: '1', name: 'Ada', isBlacklisted: false, vip: true };
    expect(v.parse(endpoints['payments.initiate'].response, { ...initiation, customer })).toMatchObject({
      customer,
    });
  });
});
