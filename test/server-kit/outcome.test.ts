import { describe, expect, it } from 'vitest';
import type { Payment } from '../../server-kit/api/payment.ts';
import { defaultDialect } from '../../server-kit/dialect.ts';
import { isPaid, mayHoldMoney, mergeObservation } from '../../server-kit/outcome.ts';
import type { PaymentRecord } from '../../server-kit/stores/store.ts';
import { outcomes, paymentStatuses } from '../../src/contract/index.ts';

const record: PaymentRecord = {
  reference: 'tc_1',
  orderId: 'order-1',
  attempt: 1,
  amount: { value: 1000, currency: 'NGN' },
  opened: {
    paymentId: 'pay_1',
    account: { number: '9990000018', name: 'Shop', bankName: 'Bank' },
    openedAt: '2026-03-01T12:00:00.000Z',
    expiresAt: '2026-03-01T12:30:00.000Z',
    liveMode: false,
  },
  observed: { status: 'awaiting_charge', chargedAmount: 0, updatedAt: '2026-03-01T12:00:00.000Z' },
  outcome: 'pending',
  createdAt: '2026-03-01T12:00:00.000Z',
  version: 3,
};
const payment: Payment = {
  id: 'pay_1',
  reference: 'tc_1',
  currency: 'NGN',
  status: 'succeeded',
  expectedAmount: 1000,
  chargedAmount: 1000,
  liveMode: false,
  updatedAt: '2026-03-01T12:05:00.000Z',
};
const merge = (from: Partial<PaymentRecord>, answer: Partial<Payment>) =>
  mergeObservation({ ...record, ...from }, { ...payment, ...answer }, defaultDialect);

describe('isPaid', () => {
  it.each([
    ['exactly the amount', {}, true],
    ['more than the amount', { chargedAmount: 1001 }, true],
    ['a kobo less', { chargedAmount: 999 }, false],
    ['the whole amount, not yet succeeded', { status: 'charged' }, false],
    ['another currency', { currency: 'USD' }, false],
    ['a test payment for a live record', { liveMode: true }, false],
    ['another payment’s id', { id: 'pay_2' }, false],
    ['another reference', { reference: 'tc_2' }, false],
    [
      'less than the order costs, where the service expected less',
      { expectedAmount: 10, chargedAmount: 10 },
      false,
    ],
  ])('for %s', (_name, change, expected) => {
    expect(isPaid({ ...payment, ...change }, record, defaultDialect)).toBe(expected);
  });

  it('counts the fees in where the service leaves them out of chargedAmount', () => {
    const answer = { ...payment, chargedAmount: 950, fee: 40, vat: 5, emtl: 5 };
    expect(isPaid(answer, record, defaultDialect)).toBe(false);
    expect(isPaid(answer, record, { ...defaultDialect, chargedAmountBasis: 'net' })).toBe(true);
  });
});

describe('mergeObservation', () => {
  it.each([
    ['initiated', 'pending'],
    ['awaiting_charge', 'pending'],
    ['charged', 'pending'],
    ['succeeded', 'paid'],
    ['failed', 'failed'],
    ['expired', 'expired'],
    ['reversed', 'reversed'],
    ['a_status_of_tomorrow', 'pending'],
  ])('reads the status %s as %s', (status, outcome) => {
    expect(merge({}, { status })).toMatchObject({ outcome, observed: { status } });
  });

  it('keeps every outcome of a paid order but a reversal', () => {
    for (const status of [...paymentStatuses, 'a_status_of_tomorrow']) {
      expect(merge({ outcome: 'paid' }, { status }).outcome).toBe(
        status === 'reversed' ? 'reversed' : 'paid',
      );
    }
  });

  it('leaves an attempt that was replaced replaced, and notes the money that came', () => {
    expect(merge({ outcome: 'replaced' }, {})).toMatchObject({
      outcome: 'replaced',
      observed: { chargedAmount: 1000 },
    });
  });

  it('gives the same object back for an answer that is older, or says nothing new', () => {
    const known = {
      ...record,
      observed: { status: 'charged', chargedAmount: 1000, updatedAt: '2026-03-01T12:05:00.000Z' },
    };
    expect(
      mergeObservation(known, { ...payment, updatedAt: '2026-03-01T12:04:59.999Z' }, defaultDialect),
    ).toBe(known);
    expect(mergeObservation(known, { ...payment, status: 'charged' }, defaultDialect)).toBe(known);
  });

  it('lets money that lands late turn expired into paid', () => {
    expect(merge({ outcome: 'expired' }, {}).outcome).toBe('paid');
  });
});

describe('mayHoldMoney', () => {
  it('is true for money that came, whatever became of the payment', () => {
    const observed = { status: 'expired', chargedAmount: 1, updatedAt: payment.updatedAt };
    for (const outcome of outcomes) expect(mayHoldMoney({ ...record, outcome, observed })).toBe(true);
  });

  it('is false for an attempt on which nothing came', () => {
    expect(mayHoldMoney({ ...record, outcome: 'expired' })).toBe(false);
    expect(mayHoldMoney({ ...record, observed: null })).toBe(false);
  });
});
