import { describe, expect, it } from 'vitest';
import type { Endpoint } from '../../../server-kit/core/endpoints.ts';
import { createDialect } from '../../../server-kit/service/dialect.ts';
import { endpoints, type Operation } from '../../../server-kit/service/endpoints.ts';
import { createTestClient, initiationRequest, leastResponses } from '../kit/client-kit.ts';
import { respondJson, startFaultServer } from '../kit/fault-server.ts';
import { readResponse } from '../kit/read-response.ts';

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
  'payouts.list': payoutAmounts,
  'payouts.retrieve': payoutAmounts,
  'taxRates.list': taxRateAmounts,
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
    expect(readResponse(name as Operation, amounts, dialect)).toMatchObject(inMinorUnits(amounts) as object);
  });

  const { paymentMethod: _, ...linkRequest } = initiationRequest;
  it.each([
    ['payments.initiate', initiationRequest],
    ['checkout.create', linkRequest],
  ] as const)('receives major units from %s', async (operation, body) => {
    const server = await startFaultServer([respondJson(200, leastResponses[operation])]);
    const { client } = createTestClient(server.url, { dialect: { amountUnit: 'major' } });
    await client.call(endpoints[operation] as Endpoint, { body: body as never }).catch(() => {});
    expect(JSON.parse(server.seen[0]?.body ?? '')).toMatchObject({ amount: { value: 12_500 } });
  });

  it('receives amounts from no other endpoint', () => {
    const asking = Object.entries<Endpoint>(endpoints).filter(
      ([, { amounts }]) => amounts?.request !== undefined,
    );
    expect(asking.map(([name]) => name)).toEqual(['payments.initiate', 'checkout.create']);
  });
});
