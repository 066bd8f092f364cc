import { describe, expect, it } from 'vitest';
import type { PaymentsError } from '../../../server-kit/core/errors.ts';
import { createDialect } from '../../../server-kit/service/dialect.ts';
import type { Operation } from '../../../server-kit/service/endpoints.ts';
import { readResponse as read } from '../kit/read-response.ts';
import { changing, readView } from '../kit/wire-faults.ts';
import { createWiredShop, order } from '../kit/wired-shop.ts';

/** Each record's own amounts, copied from section 2 of the interface and not from the endpoints table. */
const own: readonly (readonly [Operation, readonly string[]])[] = [
  ['payments.retrieve', ['expectedAmount', 'chargedAmount']],
  ['payments.verify', ['expectedAmount', 'chargedAmount']],
  [
    'invoices.cancel',
    [
      'amountDue',
      'amountPaid',
      'amountOverpaid',
      'amountRemaining',
      'subTotal',
      'totalInclusiveTaxAmount',
      'totalExclusiveTaxAmount',
    ],
  ],
  ['payouts.retrieve', ['amount']],
  ['taxRates.retrieve', ['fixedAmount']],
];
const fees: readonly (readonly [Operation, readonly string[]])[] = [
  ['payments.retrieve', ['fee', 'vat', 'emtl']],
  ['payments.verify', ['fee', 'vat', 'emtl']],
  ['payouts.retrieve', ['stampDuty', 'fee', 'vat']],
];
/** The last one is what JSON.parse makes of 1e999. */
const unreadable = [100.5, '100', 2 ** 53, {}, true, Number.POSITIVE_INFINITY];
const rowsOf = (groups: typeof own) =>
  groups.flatMap(([operation, fields]) =>
    fields.flatMap((field) => unreadable.map((value) => [operation, field, value] as const)),
  );

function failureOf(act: () => unknown): PaymentsError {
  try {
    act();
  } catch (error) {
    return error as PaymentsError;
  }
  throw new Error('It was read.');
}

describe('an amount that cannot be read', () => {
  it.each(rowsOf(own))('is refused and named: %s, %s %j', (operation, field, value) => {
    const error = failureOf(() => read(operation, { [field]: value }));
    expect(error).toMatchObject({ code: 'invalid_response', operation, params: [field] });
    expect(error.message).toContain(field);
    expect(error.message).toContain('dialect.amountUnit');
  });

  it.each(['payments.initiate', 'checkout.create'] as const)('is refused in %s', (operation) => {
    for (const value of unreadable) {
      const error = failureOf(() => read(operation, { amount: { value, currency: 'NGN' } }));
      expect(error).toMatchObject({ code: 'invalid_response', params: ['amount.value'] });
      expect(error.message).toContain('dialect.amountUnit');
    }
  });

  it('is refused in major units too', () => {
    const dialect = createDialect({ amountUnit: 'major' });
    const error = failureOf(() => read('payouts.retrieve', { amount: 1.005 }, dialect));
    expect(error).toMatchObject({ code: 'invalid_response', params: ['amount'] });
  });

  it('may be missing if the field is optional', () => {
    for (const [operation, fields] of own.slice(2)) {
      for (const field of fields) expect(read(operation, { [field]: null })).toMatchObject({ [field]: null });
    }
    expect(read('checkout.create', { amount: null })).toMatchObject({ amount: null });
  });

  it.each([
    ['payments.verify', 'expectedAmount', { expectedAmount: -1 }],
    ['payments.verify', 'chargedAmount', { chargedAmount: -1 }],
    ['payments.initiate', 'amount.value', { amount: { value: -1, currency: 'NGN' } }],
  ] as const)('includes a negative one: %s, %s', (operation, field, change) => {
    expect(failureOf(() => read(operation, change))).toMatchObject({ params: [field] });
  });
});

describe('a fee that cannot be read', () => {
  it.each(rowsOf(fees))('is left out of its record, which is kept: %s, %s %j', (operation, field, value) => {
    const record = read(operation, { [field]: value }) as Record<string, unknown>;
    expect(record[field]).toBeUndefined();
  });

  it('does not matter if amounts are gross: the order is paid', async () => {
    const { open, get, clock, sandbox, wire } = createWiredShop();
    const session = await open();
    sandbox.control.transfer({ accountNumber: session.account.number, amount: order.amount.value });
    wire.intercept = changing({ fee: 930.23, emtl: '50' });
    for (let polls = 0; polls < 3; polls++) {
      clock.advance(61_000);
      expect(await readView(get(session))).toMatchObject({ outcome: 'paid' });
    }
  });
});

describe('a succeeded payment without a charged amount yet', () => {
  it('is not a mismatch: the order is reported as paid once the amount is known', async () => {
    const notified: string[] = [];
    const { open, get, clock, sandbox, wire, checkout } = createWiredShop({
      onPaid: () => void notified.push('paid'),
      onAttention: ({ outcome }) => void notified.push(outcome),
    });
    const session = await open();
    sandbox.control.transfer({ accountNumber: session.account.number, amount: order.amount.value });
    clock.advance(5000);
    wire.intercept = changing({ status: 'succeeded', chargedAmount: null });
    expect(await readView(get(session))).toMatchObject({ outcome: 'pending' });
    await checkout.settled();
    expect(notified).toEqual([]);
    wire.intercept = undefined;
    clock.advance(5000);
    expect(await readView(get(session))).toMatchObject({
      outcome: 'paid',
      chargedAmount: order.amount.value,
    });
    await checkout.settled();
    expect(notified).toEqual(['paid']);
  });
});
