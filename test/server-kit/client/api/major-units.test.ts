import { describe, expect, it } from 'vitest';
import { feesOf } from '../../../../server-kit/client/api/fees.ts';
import { parseResponse } from '../../../../server-kit/client/request/parse-response.ts';
import { prepareRequest } from '../../../../server-kit/client/request/prepare-request.ts';
import { Payment } from '../../../../server-kit/core/endpoints.ts';
import { createDialect } from '../../../../server-kit/service/dialect.ts';
import { endpoints, type Operation } from '../../../../server-kit/service/endpoints.ts';
import { amountsIn } from '../../../../server-kit/service/fields.ts';
import { Payout } from '../../../../server-kit/service/payout.ts';
import { initiationRequest, leastResponses } from '../../kit/client-kit.ts';

const dialect = createDialect({ amountUnit: 'major' });

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

/** Every amount of every response, copied from section 2 of the interface and not from the endpoints table. */
const responses: { [Op in Operation]: object } = {
  'dedicatedAccounts.create': {},
  'dedicatedAccounts.list': {},
  'dedicatedAccounts.retrieve': {},
  'payments.initiate': { amount: { value: 0.29, currency: 'NGN' } },
  'payments.retrieve': paymentAmounts,
  'payments.verify': paymentAmounts,
  'checkout.create': { amount: { value: 0.29, currency: 'NGN' } },
  'invoices.cancel': invoiceAmounts,
  'payouts.list': { data: [{ id: '1', ...payoutAmounts }] },
  'payouts.retrieve': payoutAmounts,
  'taxRates.list': { data: [{ id: '1', ...taxRateAmounts }] },
  'taxRates.retrieve': taxRateAmounts,
  'apps.register': {},
  'apps.update': {},
};

/** Multiplies every number by a hundred. */
const inMinorUnits = (value: unknown): unknown => {
  if (typeof value === 'number') return Math.round(value * 100);
  if (Array.isArray(value)) return value.map(inMinorUnits);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, inMinorUnits(item)]));
};

describe('a service with major units', () => {
  it.each(Object.entries(responses))('is understood in every amount in a response to %s', (name, amounts) => {
    const operation = name as Operation;
    const body = { ...leastResponses[operation], ...amounts };
    expect(parseResponse(operation, { status: 200, body }, dialect)).toMatchObject(
      inMinorUnits(amounts) as object,
    );
  });

  it.each([
    ['payment', paymentAmounts, Payment],
    ['payout', payoutAmounts, Payout],
  ])('may send unreadable fees in a %s, which are listed', (_name, amounts, schema) => {
    const fees = amountsIn(schema.entries).filter((field) => field.endsWith('?'));
    expect(fees).toEqual(feesOf(schema).map((fee) => `${fee}?`));
    expect(Object.keys(amounts)).toEqual(expect.arrayContaining([...feesOf(schema)]));
  });

  const { paymentMethod: _, ...linkRequest } = initiationRequest;
  it.each([
    ['payments.initiate', initiationRequest],
    ['checkout.create', linkRequest],
  ] as const)('receives major units from %s', (operation, body) => {
    const { bodyText = '' } = prepareRequest(operation, { body: body as never }, dialect);
    expect(JSON.parse(bodyText)).toMatchObject({ amount: { value: 12_500 } });
  });

  it('receives amounts from no other endpoint', () => {
    const asking = Object.entries(endpoints).filter(([, { amounts }]) => amounts.request.length > 0);
    expect(asking.map(([name]) => name)).toEqual(['payments.initiate', 'checkout.create']);
  });
});
