import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Endpoint } from '../../../server-kit/core/endpoints.ts';
import { createDialect } from '../../../server-kit/service/dialect.ts';
import { endpoints, type Operation } from '../../../server-kit/service/endpoints.ts';
import { listPayouts, toMajorUnits, toMinorUnits } from '../../../server-kit/service/index.ts';
import { clientOf, initiationRequest, leastResponses, linkRequest, startClient } from '../kit/client-kit.ts';
import { respondJson } from '../kit/fault-server.ts';
import { readResponse as read } from '../kit/read-response.ts';

const paymentAmounts = { expectedAmount: 0.29, chargedAmount: 1.1, fee: 12.34, vat: 5, emtl: 0.07 };
const payoutAmounts = { amount: 0.29, stampDuty: 1.1, fee: 12.34, vat: 5 };
const invoiceAmounts = {
  amountDue: 0.29,
  amountPaid: 1.1,
  amountOverpaid: 12.34,
  amountRemaining: 5,
  subTotal: 0.07,
  totalInclusiveTaxAmount: 4.35,
  totalExclusiveTaxAmount: 8.2,
};
const taxRateAmounts = { fixedAmount: 0.29 };
const requestedAmount = { amount: { value: 0.29, currency: 'NGN' } };

/** Every amount of every response, copied from section 2 of the interface and not from the endpoints table. */
const responses: { [Op in Operation]: object } = {
  'dedicatedAccounts.create': {},
  'dedicatedAccounts.list': {},
  'dedicatedAccounts.retrieve': {},
  'payments.initiate': requestedAmount,
  'payments.retrieve': paymentAmounts,
  'payments.verify': paymentAmounts,
  'checkout.create': requestedAmount,
  'invoices.cancel': invoiceAmounts,
  'payouts.list': payoutAmounts,
  'payouts.retrieve': payoutAmounts,
  'taxRates.list': taxRateAmounts,
  'taxRates.retrieve': taxRateAmounts,
  'apps.register': {},
  'apps.update': {},
};
const fees = ['fee', 'vat', 'emtl', 'stampDuty'];
/** The last one is what JSON.parse makes of 1e999. */
const unreadable = [100.5, '100', 2 ** 53, {}, true, Number.POSITIVE_INFINITY];
const rows = (Object.entries(responses) as [Operation, object][]).flatMap(([operation, amounts]) =>
  Object.keys(amounts).flatMap((field) => unreadable.map((value) => [operation, field, value] as const)),
);

const inMinorUnits = (value: unknown): unknown => {
  if (typeof value === 'number') return Math.round(value * 100);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, inMinorUnits(item)]));
};

const refusalOf = (params: readonly string[], operation: Operation) =>
  expect.objectContaining({
    code: 'invalid_response',
    operation,
    params,
    message: expect.stringMatching(new RegExp(`${params[0]}.*dialect\\.amountUnit`)),
  });

describe('a service with major units', () => {
  const dialect = createDialect({ amountUnit: 'major' });

  it.each(Object.entries(responses))('is understood in every amount in a response to %s', (name, amounts) => {
    expect(read(name as Operation, amounts, dialect)).toMatchObject(inMinorUnits(amounts) as object);
  });

  it('is understood in a list', async () => {
    const page = { hasMore: false, data: [{ id: 'po_1', amount: 0.29, fee: 0.5 }] };
    const { client } = clientOf(() => Response.json(page), { dialect: { amountUnit: 'major' } });
    expect((await listPayouts(client)).data).toEqual([{ id: 'po_1', amount: 29, fee: 50 }]);
  });

  it.each([
    ['payments.initiate', initiationRequest],
    ['checkout.create', linkRequest],
  ] as const)('receives major units from %s', async (operation, body) => {
    const responders = [respondJson(200, leastResponses[operation])];
    const { client, seen } = await startClient(responders, { dialect: { amountUnit: 'major' } });
    await client.call(endpoints[operation] as Endpoint, { body: body as never }).catch(() => {});
    expect(JSON.parse(seen[0]?.body ?? '')).toMatchObject({ amount: { value: 12_500 } });
  });

  it('gets no fraction of a minor unit', () => {
    const act = () => read('payouts.retrieve', { amount: 1.005 }, dialect);
    expect(act).toThrow(refusalOf(['amount'], 'payouts.retrieve'));
  });
});

describe('an amount that cannot be read', () => {
  it.each(rows.filter(([, field]) => !fees.includes(field)))(
    'is refused and named: %s, %s %j',
    (operation, field, value) => {
      const isNested = responses[operation] === requestedAmount;
      const act = () => read(operation, { [field]: isNested ? { value, currency: 'NGN' } : value });
      expect(act).toThrow(refusalOf([isNested ? 'amount.value' : field], operation));
    },
  );

  it.each([
    ['invoices.cancel', invoiceAmounts],
    ['payouts.retrieve', { amount: 1 }],
    ['taxRates.retrieve', taxRateAmounts],
    ['checkout.create', requestedAmount],
  ] as const)('may be missing if the field is optional: %s', (operation, amounts) => {
    const missing = Object.fromEntries(Object.keys(amounts).map((field) => [field, null]));
    expect(read(operation, missing)).toMatchObject(missing);
  });

  it.each([
    ['payments.verify', 'expectedAmount', { expectedAmount: -1 }],
    ['payments.verify', 'chargedAmount', { chargedAmount: -1 }],
    ['payments.initiate', 'amount.value', { amount: { value: -1, currency: 'NGN' } }],
  ] as const)('includes a negative one: %s, %s', (operation, field, change) => {
    expect(() => read(operation, change)).toThrow(expect.objectContaining({ params: [field] }));
  });
});

it.each(rows.filter(([, field]) => fees.includes(field)))(
  'leaves an unreadable fee out of its record, which is kept: %s, %s %j',
  (operation, field, value) => {
    const record = read(operation, { [field]: value }) as Record<string, unknown>;
    expect(record[field]).toBeUndefined();
  },
);

describe('toMinorUnits', () => {
  it.each([
    [12500, 'NGN', 1_250_000],
    ['12500.00', 'NGN', 1_250_000],
    ['12500.5', 'ngn', 1_250_050],
    [0.29, 'USD', 29],
    [1.1, 'USD', 110],
    ['12.3400000', 'USD', 1234],
    [500, 'JPY', 500],
    ['500.000', 'JPY', 500],
    ['1.234', 'KWD', 1234],
    [0, 'NGN', 0],
    ['90071992547409.91', 'NGN', Number.MAX_SAFE_INTEGER],
  ])('makes %s of %s %s', (amount, currency, minor) => {
    expect(toMinorUnits(amount, currency)).toBe(minor);
  });

  it.each([
    ['a fraction of a kobo', '12.345', 'NGN'],
    ['a fraction of a yen', 0.5, 'JPY'],
    ['a fraction of a fils', '1.2345', 'KWD'],
    ['a number that was computed in binary', 0.1 + 0.2, 'USD'],
    ['a negative amount', -1, 'NGN'],
    ['an amount above 2^53', '90071992547409.92', 'NGN'],
    ['an exponent', 1e21, 'NGN'],
    ['no number', Number.NaN, 'NGN'],
    ['infinity', Number.POSITIVE_INFINITY, 'NGN'],
    ['no text', '', 'NGN'],
    ['text with a group', '12,500.00', 'NGN'],
    ['spaces', ' 12', 'NGN'],
    ['a currency that is no code', 12, 'naira'],
  ])('refuses %s', (_name, amount, currency) => {
    expect(() => toMinorUnits(amount, currency)).toThrow(RangeError);
  });
});

describe('toMajorUnits', () => {
  it.each([
    [1_250_000, 'NGN', '12500.00'],
    [5, 'USD', '0.05'],
    [500, 'JPY', '500'],
    [1234, 'KWD', '1.234'],
    [0, 'NGN', '0.00'],
  ])('makes %s of %s %s', (value, currency, major) => {
    expect(toMajorUnits({ value, currency })).toBe(major);
  });

  it('is what toMinorUnits takes back, for every amount', () => {
    fc.assert(
      fc.property(fc.maxSafeNat(), fc.constantFrom('NGN', 'USD', 'JPY', 'KWD'), (value, currency) => {
        expect(toMinorUnits(toMajorUnits({ value, currency }), currency)).toBe(value);
      }),
    );
  });
});
