import { describe, expect, it } from 'vitest';
import { defaultDialect } from '../../../server-kit/api/dialect.ts';
import type { Payment } from '../../../server-kit/api/payment.ts';
import { markLateConfirmation, mergeObservation } from '../../../server-kit/payments/merge-observation.ts';
import { isSettled } from '../../../server-kit/payments/outcome.ts';
import type { PaymentRecord } from '../../../server-kit/stores/payment-record.ts';
import { outcomes } from '../../../src/contract/index.ts';
import { openRecord, paidResponse } from './records.ts';

const knownAt = '2026-03-01T12:05:00.000Z';
const earlier = '2026-03-01T12:04:59.000Z';
const later = '2026-03-01T12:05:01.000Z';

const record = openRecord;
const response: Payment = { ...paidResponse, chargedAmount: 0, updatedAt: earlier };
const net = { ...defaultDialect, chargedAmountBasis: 'net' } as const;

const recorded = (status: string, change: Partial<PaymentRecord> = {}, chargedAmount = 0): PaymentRecord => ({
  ...record,
  observed: { status, chargedAmount, updatedAt: knownAt },
  ...change,
});
const merge = (known: PaymentRecord, change: Partial<Payment>, dialect = defaultDialect) =>
  mergeObservation(known, { ...response, ...change }, dialect);
const ignoredReason = (known: PaymentRecord, change: Partial<Payment>) => merge(known, change).ignored;

/** What happens to a response with an earlier date and no money, by the recorded status and the status of the response. */
const believed = undefined;
const earlierResponses = {
  initiated: {
    ...{ initiated: 'older', awaiting_charge: believed, expired: believed, charged: believed },
    ...{ succeeded: believed, failed: believed, reversed: believed },
  },
  awaiting_charge: {
    ...{ initiated: 'older', awaiting_charge: 'older', expired: believed, charged: believed },
    ...{ succeeded: believed, failed: believed, reversed: believed },
  },
  expired: {
    ...{ initiated: 'older', awaiting_charge: 'older', expired: 'older', charged: believed },
    ...{ succeeded: believed, failed: believed, reversed: believed },
  },
  charged: {
    ...{
      initiated: 'forgetsMoney',
      awaiting_charge: 'forgetsMoney',
      expired: 'forgetsMoney',
      charged: 'older',
    },
    ...{ succeeded: believed, failed: believed, reversed: believed },
  },
  succeeded: {
    ...{
      initiated: 'forgetsMoney',
      awaiting_charge: 'forgetsMoney',
      expired: 'forgetsMoney',
      charged: 'older',
    },
    ...{ succeeded: 'older', failed: 'older', reversed: believed },
  },
  failed: {
    ...{ initiated: 'older', awaiting_charge: 'older', expired: 'older', charged: 'older' },
    ...{ succeeded: 'older', failed: 'older', reversed: 'older' },
  },
} as const;

describe('a response with an earlier date', () => {
  it.each(
    Object.entries(earlierResponses).flatMap(([known, byStatus]) =>
      Object.entries(byStatus).map(([status, reason]) => [status, known, reason ?? 'believed'] as const),
    ),
  )('that says %s after %s is %s', (status, known, reason) => {
    expect(ignoredReason(recorded(known), { status }) ?? 'believed').toBe(reason);
  });

  it('and the same date and less money is older; with more money it is believed', () => {
    const known = recorded('awaiting_charge', {}, 500);
    const same = { status: 'awaiting_charge', updatedAt: knownAt };
    expect(ignoredReason(known, { ...same, chargedAmount: 499 })).toBe('older');
    expect(ignoredReason(known, { ...same, chargedAmount: 501, updatedAt: earlier })).toBe(believed);
    expect(ignoredReason(known, { ...same, chargedAmount: 499, updatedAt: later })).toBe(believed);
  });
});

it.each(['failed', 'a_new_status'])(
  'a full payment is believed after %s with the same money and a later date',
  (status) => {
    const { record: merged } = merge(recorded(status, {}, 1000), { chargedAmount: 1000 });
    expect(merged).toMatchObject({ outcome: 'paid', observed: { status: 'succeeded', updatedAt: earlier } });
  },
);

describe('after a full payment', () => {
  const paid = recorded('succeeded', { outcome: 'paid' }, 1000);

  it.each(['initiated', 'awaiting_charge', 'charged', 'failed', 'expired', 'a_new_status'])(
    '%s is ignored, also with a later date',
    (status) => {
      const change = { status, chargedAmount: 1000, updatedAt: later };
      expect(merge(paid, change)).toEqual({ record: paid, ignored: 'afterPaid' });
    },
  );

  it('more money leaves it paid, with the amount that paid it', () => {
    const known = { ...paid, outcomeAmount: 1000, outcomeAt: knownAt };
    const { record: merged } = merge(known, { chargedAmount: 1500, updatedAt: later });
    expect(merged).toMatchObject({ outcome: 'paid', outcomeAmount: 1000, outcomeAt: knownAt });
    expect(merged.observed).toMatchObject({ chargedAmount: 1500 });
  });

  it('less money with a later date leaves it paid', () => {
    const { record: merged } = merge(paid, { chargedAmount: 600, updatedAt: later });
    expect(merged).toMatchObject({ outcome: 'paid', observed: { chargedAmount: 600 } });
  });

  it('nothing follows a reversal', () => {
    const reversed = recorded('reversed', { outcome: 'reversed' }, 1000);
    const change = { chargedAmount: 1000, updatedAt: later };
    expect(merge(reversed, change)).toEqual({ record: reversed, ignored: 'afterReversal' });
  });
});

describe('a reversal', () => {
  const isReversedUnpaid = (known: PaymentRecord) =>
    merge(known, { status: 'reversed', updatedAt: later }).record.isReversedUnpaid === true;

  it.each([
    ['an unpaid payment', recorded('awaiting_charge'), true],
    ['a payment without a response', record, true],
    ['a paid payment', recorded('succeeded', { outcome: 'paid' }, 1000), false],
    ['a payment of less', recorded('succeeded', { outcome: 'amountMismatch' }, 999), false],
    ['a paid payment whose last response was another', recorded('charged', { outcome: 'paid' }, 1000), false],
    ['a closed payment with money', recorded('succeeded', { outcome: 'replaced' }, 1000), false],
  ])('of %s: is without a payment: %s', (_name, known, expected) => {
    expect(isReversedUnpaid(known)).toBe(expected);
  });
});

describe('the charged amount', () => {
  it('that is missing leaves the recorded one', () => {
    const known = recorded('charged', {}, 700);
    expect(merge(known, { chargedAmount: null, updatedAt: later }).record.observed?.chargedAmount).toBe(700);
    expect(merge(record, { chargedAmount: null }, net).record.observed?.chargedAmount).toBe(0);
  });

  it('that is missing in succeeded decides nothing', () => {
    const change = { chargedAmount: null, updatedAt: later };
    expect(merge(recorded('charged'), change).record.outcome).toBe('pending');
    const mismatch = recorded('succeeded', { outcome: 'amountMismatch' }, 999);
    expect(merge(mismatch, change).record.outcome).toBe('amountMismatch');
  });

  it('of a reversal is recorded without its fees', () => {
    const change = { status: 'reversed', chargedAmount: 900, fee: 50, updatedAt: later };
    expect(merge(record, change, net).record.observed).toMatchObject({
      status: 'reversed',
      chargedAmount: 900,
    });
  });
});

it.each([
  ['awaiting_charge', 'pending'],
  ['reversed', 'reversed'],
] as const)('an unchanged response %s is not ignored, and returns the same record', (status, outcome) => {
  const known = recorded(status, { outcome });
  const merged = merge(known, { status, updatedAt: knownAt });
  expect(merged).toEqual({ record: known });
  expect(merged.record).toBe(known);
});

it('a confirmation is late after fifteen minutes', () => {
  const confirming = { ...record, confirming: { since: knownAt } };
  const dueMs = Date.parse(knownAt) + 15 * 60_000;
  expect(markLateConfirmation(confirming, dueMs - 1)).toBe(confirming);
  expect(markLateConfirmation(confirming, dueMs).confirming).toEqual({ since: knownAt, isLate: true });
});

it('paid, failed and reversed payments are settled, and no others', () => {
  const settled = outcomes.filter((outcome) => isSettled({ ...record, outcome }));
  expect(settled.sort()).toEqual(['failed', 'paid', 'reversed']);
});
