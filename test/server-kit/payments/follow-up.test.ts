import { describe, expect, it } from 'vitest';
import { nextCheckMs, reportableOutcomes, retryCheckMs } from '../../../server-kit/payments/follow-up.ts';
import type { PaymentRecord } from '../../../server-kit/stores/payment-record.ts';
import type { Outcome } from '../../../src/contract/index.ts';

const createdAt = '2026-03-01T12:00:00.000Z';
const startMs = Date.parse(createdAt);
const expiresMs = startMs + 1_800_000;
const times = { lateWatchSeconds: 7 * 86_400, reversalWatchSeconds: 30 * 86_400 };
const minuteMs = 60_000;
const dayMs = 86_400_000;

const opened = {
  paymentId: 'pay_1',
  account: { number: '9990000018', name: 'Shop', bankName: 'Bank' },
  openedAt: createdAt,
  expiresAt: new Date(expiresMs).toISOString(),
  liveMode: false,
};

function recordWith(outcome: Outcome, changes: Partial<PaymentRecord> = {}): PaymentRecord {
  const amount = { value: 1000, currency: 'NGN' };
  const ids = { reference: 'tc_1', orderId: 'order-1', attempt: 1, version: 1 };
  return { ...ids, amount, opened, observed: null, outcome, createdAt, ...changes };
}

const observed = (status: string, chargedAmount: number) => ({ status, chargedAmount, updatedAt: createdAt });

describe('the outcomes to report', () => {
  it.each([
    ['pending', []],
    ['paid', ['paid']],
    ['failed', ['failed']],
    ['expired', ['expired']],
    ['reversed', ['reversed']],
    ['amountMismatch', ['amountMismatch']],
    ['replaced', []],
  ] as const)('of a payment that is %s is %j', (outcome, events) => {
    expect(reportableOutcomes(recordWith(outcome))).toEqual(events);
  });

  it('of a replaced payment is its money, unless that was taken back', () => {
    expect(reportableOutcomes(recordWith('replaced', { observed: observed('succeeded', 1) }))).toEqual([
      'unexpectedMoney',
    ]);
    expect(reportableOutcomes(recordWith('replaced', { observed: observed('awaiting_charge', 0) }))).toEqual(
      [],
    );
    expect(reportableOutcomes(recordWith('replaced', { observed: observed('reversed', 1000) }))).toEqual([]);
  });
});

describe('the next verification', () => {
  it('at an open account is a minute away, and right after its expiry', () => {
    expect(nextCheckMs(recordWith('pending'), startMs, times)).toBe(minuteMs);
    expect(nextCheckMs(recordWith('pending'), expiresMs - 10_000, times)).toBe(11_000);
  });

  it.each(['pending', 'expired', 'failed', 'amountMismatch', 'replaced'] as const)(
    'at an account that has expired, %s, is ever further away, for seven days',
    (outcome) => {
      const nextAt = (ms: number) => nextCheckMs(recordWith(outcome), expiresMs + ms, times);
      expect(nextAt(0)).toBe(minuteMs);
      expect(nextAt(40 * minuteMs)).toBe(10 * minuteMs);
      expect(nextAt(6 * dayMs)).toBe(dayMs / 4);
      expect(nextAt(7 * dayMs)).toBe(dayMs / 4);
      expect(nextAt(7 * dayMs + 1)).toBeNull();
    },
  );

  it('at an account that holds money which is not confirmed is never further away than an hour', () => {
    const record = recordWith('pending', { observed: observed('charged', 1000) });
    expect(nextCheckMs(record, expiresMs + 6 * dayMs, times)).toBe(60 * minuteMs);
  });

  it('of such an account is not given up, because the money has not been reported', () => {
    const record = recordWith('pending', { observed: observed('awaiting_charge', 1) });
    expect(nextCheckMs(record, expiresMs + 400 * dayMs, times)).toBe(60 * minuteMs);
  });

  it('of a paid payment checks for a reversal for thirty days', () => {
    const paid = recordWith('paid', { observed: observed('succeeded', 1000) });
    expect(nextCheckMs(paid, startMs, times)).toBe(10 * minuteMs);
    expect(nextCheckMs(paid, startMs + 30 * dayMs, times)).toBe(dayMs);
    expect(nextCheckMs(paid, startMs + 30 * dayMs + 1, times)).toBeNull();
  });

  it('at a reversed payment is never', () => {
    expect(nextCheckMs(recordWith('reversed'), startMs, times)).toBeNull();
  });

  it('at a payment that never got an account is when no call can be under way', () => {
    expect(nextCheckMs(recordWith('pending', { opened: null }), startMs, times)).toBe(5 * minuteMs);
  });

  it('at a payment that was closed before it got one is ever further away, for as long as money may come late', () => {
    const nextAt = (ms: number) => nextCheckMs(recordWith('replaced', { opened: null }), startMs + ms, times);
    expect([nextAt(0), nextAt(dayMs), nextAt(7 * dayMs + 1)]).toEqual([minuteMs, 6 * 60 * minuteMs, null]);
  });

  it('at a payment that was reversed is never, unless it was never seen to be paid', () => {
    expect(nextCheckMs(recordWith('reversed'), startMs, times)).toBeNull();
    expect(nextCheckMs(recordWith('reversed', { isReversedUnpaid: true }), startMs, times)).toBe(minuteMs);
  });

  it.each([
    [0, minuteMs / 2],
    [20 * minuteMs, 2 * minuteMs],
    [7 * dayMs, 60 * minuteMs],
  ])('after one that failed, at the age of %i ms, is %i ms away', (age, afterMs) => {
    expect(retryCheckMs(recordWith('pending'), startMs + age)).toBe(afterMs);
  });
});
