import fc from 'fast-check';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { endpoints, type Operation } from '../../server-kit/api/endpoints.ts';
import { checkoutLink, initiation, payment } from './client-kit.ts';
import { faultsOf } from './faults-of.ts';

/** The least that the client needs of each answer. */
const leastRecords = {
  'dedicatedAccounts.create': { status: 'awaiting_customer_consent', accountRequestCode: 'req_1' },
  'dedicatedAccounts.retrieve': { id: '1' },
  'payments.initiate': initiation,
  'payments.retrieve': payment,
  'payments.verify': payment,
  'checkout.create': checkoutLink,
  'invoices.cancel': { id: '1' },
  'payouts.retrieve': { id: '1' },
  'taxRates.retrieve': { id: '1' },
  'apps.register': { id: '1' },
  'apps.update': { id: '1' },
} satisfies { [Op in Operation]?: object };
const leastAnswers: { [Op in Operation]: object } = {
  ...leastRecords,
  'dedicatedAccounts.list': { hasMore: false, data: [leastRecords['dedicatedAccounts.retrieve']] },
  'payouts.list': { hasMore: false, data: [leastRecords['payouts.retrieve']] },
  'taxRates.list': { hasMore: false, data: [leastRecords['taxRates.retrieve']] },
};
const answers = Object.entries(leastAnswers).map(([name, least]) => ({
  name,
  least: least as Record<string, unknown>,
  response: endpoints[name as Operation].response as v.GenericSchema & { entries: v.ObjectEntries },
}));

describe.each(answers)('an answer of $name', ({ least, response }) => {
  const optional = Object.keys(response.entries).filter((field) => !(field in least));

  it('keeps every field that is not known', () => {
    expect(v.parse(response, { ...least, newField: [{ deep: 1 }] })).toMatchObject({
      newField: [{ deep: 1 }],
    });
  });

  it('is not lost over a field that nothing depends on, whatever it holds', () => {
    const oddFields = fc.record(Object.fromEntries(optional.map((field) => [field, fc.jsonValue()])), {
      requiredKeys: [],
    });
    fc.assert(
      fc.property(oddFields, (odd) => v.is(response, { ...odd, ...least })),
      { numRuns: 50 },
    );
  });

  it.each(Object.keys(least))('is refused without its %s', (field) => {
    const { [field]: left, ...rest } = least;
    // What was charged is nothing where it is not said.
    expect(faultsOf(response, rest)).toEqual(field === 'chargedAmount' ? [] : [field]);
    expect(left).toBeDefined();
  });
});

describe('a word that is not known', () => {
  it.each([
    ['dedicatedAccounts.retrieve', ['status', 'type', 'currency', 'acceptedAmountPolicy']],
    ['payments.retrieve', ['status', 'paymentMethod', 'paymentChannel', 'currency', 'acceptedAmountPolicy']],
    ['invoices.cancel', ['status', 'currency']],
    ['payouts.retrieve', ['status', 'confirmationState', 'currency']],
    ['taxRates.retrieve', ['taxType', 'rateType']],
    ['apps.update', ['bankingType']],
    ['dedicatedAccounts.create', ['status']],
  ] as const)('in an answer of %s reaches the caller as it is: %j', (name, fields) => {
    const words = Object.fromEntries(fields.map((field) => [field, `new_${field}`]));
    expect(v.parse(endpoints[name].response, { ...leastAnswers[name], ...words })).toMatchObject(words);
  });
});

describe('an object within an answer', () => {
  it('keeps what is well-formed and what is not known, and loses the rest', () => {
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

  it('keeps the fields of a bank and of a customer that are not known', () => {
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
