import { describe, expect, it } from 'vitest';
import { defaultDialect } from '../../../server-kit/api/dialect.ts';
import type { Payment } from '../../../server-kit/api/payment.ts';
import { mergeObservation } from '../../../server-kit/payments/merge-observation.ts';
import { isPaid, mayHoldMoney } from '../../../server-kit/payments/outcome.ts';
import type { PaymentRecord } from '../../../server-kit/stores/payment-record.ts';
import { outcomes, paymentStatuses } from '../../../src/contract/index.ts';
import { openRecord, paidResponse } from './records.ts';

const record: PaymentRecord = {
  ...openRecord,
  observed: { status: 'awaiting_charge', chargedAmount: 0, updatedAt: '2026-03-01T12:00:00.000Z' },
};
const payment = paidResponse;
const net = { ...defaultDialect, chargedAmountBasis: 'net' } as const;
const mergeInto = (known: PaymentRecord, response: Payment, dialect = defaultDialect) =>
  mergeObservation(known, response, dialect);
const merge = (from: Partial<PaymentRecord>, response: Partial<Payment>) =>
  mergeInto({ ...record, ...from }, { ...payment, ...response }).record;

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
    ['what the order costs, where the service expects more', { expectedAmount: 1001 }, false],
  ])('for %s', (_name, change, expected) => {
    expect(isPaid({ ...payment, ...change }, record, defaultDialect)).toBe(expected);
  });

  it('counts the fees in where the service leaves them out of chargedAmount', () => {
    const response = { ...payment, chargedAmount: 950, fee: 40, vat: 5, emtl: 5 };
    expect(isPaid(response, record, defaultDialect)).toBe(false);
    expect(isPaid(response, record, net)).toBe(true);
  });

  it('takes no fees for money where nothing has come', () => {
    const response = { ...payment, status: 'awaiting_charge', chargedAmount: 0, fee: 40, vat: 5, emtl: 5 };
    expect(mergeObservation(record, response, net).record.observed).toMatchObject({ chargedAmount: 0 });
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

  it.each(['expired', 'failed'] as const)('keeps what was reported since the payment has %s', (outcome) => {
    const observed = { status: outcome, chargedAmount: 400, updatedAt: payment.updatedAt };
    const charged = merge({ outcome, observed }, { status: 'charged' });
    expect(charged).toMatchObject({ outcome: 'pending', reportedAmount: 400 });
    expect(mergeInto(charged, payment).record).toMatchObject({ outcome: 'paid', reportedAmount: 400 });
  });

  it('remembers that a reversed payment was paid', () => {
    const observed = { status: 'succeeded', chargedAmount: 1000, updatedAt: payment.updatedAt };
    expect(merge({ outcome: 'paid', observed }, { status: 'reversed' })).toMatchObject({ wasPaid: true });
    const later = merge({ outcome: 'paid', observed }, { updatedAt: '2026-03-09T12:00:00.000Z' });
    expect(later).not.toHaveProperty('wasPaid');
  });

  describe('of two nodes of the service whose clocks are seconds apart', () => {
    const later = '2026-03-01T12:05:02.000Z';
    const seen = (status: string, chargedAmount: number, outcome: PaymentRecord['outcome'] = 'pending') => ({
      outcome,
      observed: { status, chargedAmount, updatedAt: later },
    });

    it.each([
      ['charged', seen('charged', 1000)],
      ['waiting for the rest', seen('awaiting_charge', 500)],
      ['expired', seen('expired', 0, 'expired')],
      ['failed', seen('failed', 0, 'failed')],
      ['succeeded with less', seen('succeeded', 999, 'amountMismatch')],
    ])('believes the full succeeded of the slower one after %s', (_name, known) => {
      expect(mergeInto({ ...record, ...known }, payment)).toMatchObject({ record: { outcome: 'paid' } });
    });

    it('believes a reversal of the slower one after paid', () => {
      expect(merge(seen('succeeded', 1000, 'paid'), { status: 'reversed' })).toMatchObject({
        outcome: 'reversed',
        observed: { status: 'reversed', updatedAt: payment.updatedAt },
      });
    });

    it('never undoes a reversal that has followed paid', () => {
      const reversed = merge(seen('succeeded', 1000, 'paid'), { status: 'reversed' });
      const again = mergeInto(reversed, { ...payment, updatedAt: '2026-03-09T12:00:00.000Z' });
      expect(again).toEqual({ record: reversed, ignored: 'afterReversal' });
    });

    it('revives no payment that was replaced, and notes its money', () => {
      const merged = merge(seen('charged', 0, 'replaced'), {});
      expect(merged).toMatchObject({ outcome: 'replaced', observed: { chargedAmount: 1000 } });
      const reversed = { ...record, ...seen('reversed', 1000, 'replaced') };
      expect(mergeInto(reversed, payment)).toEqual({ record: reversed, ignored: 'afterReversal' });
    });

    it('takes a step forward whatever its date, and a step back whatever its date not', () => {
      expect(merge(seen('expired', 0, 'expired'), { status: 'charged' })).toMatchObject({
        outcome: 'pending',
        observed: { status: 'charged' },
      });
      const charged = { ...record, ...seen('charged', 1000) };
      const newer = { ...payment, status: 'awaiting_charge', updatedAt: '2026-03-01T12:09:00.000Z' };
      expect(mergeInto(charged, newer)).toEqual({ record: charged, ignored: 'older' });
      const expired = { ...record, ...seen('expired', 0, 'expired') };
      const waiting = { ...newer, chargedAmount: 0 };
      expect(mergeInto(expired, waiting)).toEqual({ record: expired, ignored: 'older' });
    });

    it('ignores no money, though the response is a step back', () => {
      expect(merge(seen('failed', 0, 'failed'), { status: 'charged' })).toMatchObject({
        observed: { chargedAmount: 1000 },
      });
    });

    it.each(['initiated', 'awaiting_charge', 'expired'])(
      'does not forget that money may be there because a newer response says %s with nothing',
      (status) => {
        const charged = { ...record, ...seen('charged', 0) };
        const empty = { ...payment, status, chargedAmount: 0, updatedAt: '2026-03-01T12:09:00.000Z' };
        expect(mergeInto(charged, empty)).toEqual({ record: charged, ignored: 'forgetsMoney' });
        const partly = { ...record, ...seen('awaiting_charge', 500) };
        expect(mergeInto(partly, empty)).toEqual({ record: partly, ignored: 'forgetsMoney' });
      },
    );

    it('takes failed for the end of charged, as the lifecycle has it', () => {
      const end = { status: 'failed', chargedAmount: 0, updatedAt: later };
      expect(merge(seen('charged', 1000), end)).toMatchObject({ outcome: 'failed' });
    });
  });

  it('takes no end without money that was made before the money came', () => {
    const known = {
      ...record,
      observed: { status: 'awaiting_charge', chargedAmount: 500, updatedAt: '2026-03-01T12:06:00.000Z' },
    };
    const end = { ...payment, status: 'failed', chargedAmount: 100 };
    expect(mergeInto(known, end)).toEqual({ record: known, ignored: 'older' });
  });

  it('does not take reversed for the end of a payment that was never paid', () => {
    const reversed = merge({}, { status: 'reversed', updatedAt: '2026-03-09T12:00:00.000Z' });
    expect(reversed).toMatchObject({ outcome: 'reversed', isReversedUnpaid: true });
    expect(merge(reversed, { status: 'awaiting_charge', chargedAmount: 0 })).toMatchObject({
      outcome: 'pending',
    });
    const paid = merge(reversed, {});
    expect(paid.outcome).toBe('paid');
    expect(paid).not.toHaveProperty('isReversedUnpaid');
    expect(merge(paid, { status: 'reversed' })).not.toHaveProperty('isReversedUnpaid');
  });

  it('keeps every outcome of a paid order but a reversal', () => {
    for (const status of [...paymentStatuses, 'a_status_of_tomorrow']) {
      expect(merge({ outcome: 'paid' }, { status }).outcome).toBe(
        status === 'reversed' ? 'reversed' : 'paid',
      );
    }
  });

  it('keeps the amount when a response names none', () => {
    const charged = merge({}, { status: 'charged', chargedAmount: 1000 });
    const later = { updatedAt: '2026-03-01T12:06:00.000Z', chargedAmount: null };
    expect(merge(charged, { ...later, status: 'charged' })).toMatchObject({
      outcome: 'pending',
      observed: { chargedAmount: 1000 },
    });
    expect(merge(charged, later)).toMatchObject({ outcome: 'pending', observed: { chargedAmount: 1000 } });
  });

  it('notes since when money waits to be confirmed, also of a record from before that was noted', () => {
    const charged = { status: 'charged', updatedAt: '2026-03-01T12:05:00.000Z' };
    const since = { since: charged.updatedAt };
    const first = merge({}, charged);
    expect(first.confirming).toEqual(since);
    expect(merge(first, { ...charged, updatedAt: '2026-03-01T12:06:00.000Z' }).confirming).toEqual(since);
    expect(merge(first, charged)).toEqual(first);
    const { confirming: _, ...old } = first;
    expect(mergeInto(old, { ...payment, ...charged }).record).toEqual(first);
  });

  it.each([
    ['that is over', { status: 'succeeded', updatedAt: '2026-03-01T12:06:00.000Z' }],
    ['that has failed', { status: 'failed', updatedAt: '2026-03-01T12:06:00.000Z' }],
  ])('notes it no more of a payment %s', (_name, response) => {
    expect(merge(merge({}, { status: 'charged' }), response)).not.toHaveProperty('confirming');
  });

  it('does not record it for a payment that was replaced, or waits for the rest', () => {
    expect(merge({ outcome: 'replaced' }, { status: 'charged' })).not.toHaveProperty('confirming');
    expect(merge({}, { status: 'awaiting_charge', chargedAmount: 1 })).not.toHaveProperty('confirming');
  });

  it('keeps a replaced payment replaced, and records its money', () => {
    expect(merge({ outcome: 'replaced' }, {})).toMatchObject({
      outcome: 'replaced',
      observed: { chargedAmount: 1000 },
    });
  });

  it('returns the same object for a response that is older or brings nothing new', () => {
    const known = {
      ...record,
      observed: { status: 'charged', chargedAmount: 1000, updatedAt: '2026-03-01T12:05:00.000Z' },
      confirming: { since: '2026-03-01T12:05:00.000Z' },
    };
    const older = { ...payment, status: 'charged', updatedAt: '2026-03-01T12:04:59.999Z' };
    expect(mergeInto(known, older)).toEqual({ record: known, ignored: 'older' });
    expect(mergeInto(known, older).record).toBe(known);
    expect(mergeInto(known, { ...payment, status: 'charged' }).record).toBe(known);
  });

  it('takes no step back for a response of the same moment', () => {
    const sameMoment = (status: string, chargedAmount = 0) => ({
      observed: { status, chargedAmount, updatedAt: payment.updatedAt },
    });
    const back: [string, string][] = [
      ['charged', 'awaiting_charge'],
      ['charged', 'initiated'],
      ['failed', 'charged'],
      ['expired', 'awaiting_charge'],
    ];
    for (const [known, next] of back) {
      expect(merge(sameMoment(known), { status: next, chargedAmount: 0 }).observed?.status).toBe(known);
    }
    expect(merge(sameMoment('charged', 1000), { status: 'charged', chargedAmount: 999 }).observed).toEqual(
      sameMoment('charged', 1000).observed,
    );
  });

  it('takes a step forward for a response of the same moment', () => {
    const observed = { status: 'charged', chargedAmount: 1000, updatedAt: payment.updatedAt };
    expect(merge({ observed }, {})).toMatchObject({ outcome: 'paid', observed: { status: 'succeeded' } });
    const unknown = { observed: { ...observed, status: 'on_hold' } };
    expect(merge(unknown, { status: 'charged' }).observed).toMatchObject({ status: 'charged' });
    expect(merge({ observed }, { status: 'on_hold' }).observed).toMatchObject({ status: 'on_hold' });
  });

  it('accepts more money in a response of the same moment, also after expiry', () => {
    const observed = { status: 'expired', chargedAmount: 0, updatedAt: payment.updatedAt };
    expect(merge({ observed, outcome: 'expired' }, { status: 'charged' })).toMatchObject({
      outcome: 'pending',
      observed: { status: 'charged', chargedAmount: 1000 },
    });
    expect(merge({ observed, outcome: 'expired' }, {})).toMatchObject({ outcome: 'paid' });
  });

  it('believes a reversal of the same moment, also where it has taken the money', () => {
    const observed = { status: 'succeeded', chargedAmount: 1000, updatedAt: payment.updatedAt };
    const reversed = merge({ observed, outcome: 'paid' }, { status: 'reversed', chargedAmount: 0 });
    expect(reversed).toMatchObject({ outcome: 'reversed', observed: { status: 'reversed' } });
  });

  it('never leaves reversed', () => {
    const observed = { status: 'reversed', chargedAmount: 1000, updatedAt: '2026-03-01T12:01:00.000Z' };
    const reversed: PaymentRecord = { ...record, outcome: 'reversed', observed };
    for (const status of [...paymentStatuses, 'a_status_of_tomorrow']) {
      expect(mergeInto(reversed, { ...payment, status }).record).toBe(reversed);
    }
  });

  it('notes when an outcome came about, and with how much, whatever the service says later', () => {
    const paid = merge({}, {});
    const came = { outcomeAmount: 1000, outcomeAt: '2026-03-01T12:05:00.000Z' };
    expect(paid).toMatchObject(came);
    const touched = merge(paid, { chargedAmount: 1500, updatedAt: '2026-03-03T12:00:00.000Z' });
    expect(touched).toMatchObject({ ...came, observed: { chargedAmount: 1500 } });
    expect(merge(touched, { status: 'reversed', updatedAt: '2026-03-09T12:00:00.000Z' })).toMatchObject(came);
    const late = { outcome: 'expired', outcomeAt: '2026-03-01T12:30:00.000Z' } as const;
    expect(merge(late, { updatedAt: '2026-03-02T12:00:00.000Z' })).toMatchObject({
      outcome: 'paid',
      outcomeAt: '2026-03-02T12:00:00.000Z',
    });
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

  it.each(['charged', 'succeeded', 'reversed', 'a_status_of_tomorrow'])(
    'is true for the status %s, though no amount is named',
    (status) => {
      const observed = { status, chargedAmount: 0, updatedAt: payment.updatedAt };
      expect(mayHoldMoney({ ...record, observed })).toBe(true);
    },
  );

  it.each(['initiated', 'awaiting_charge', 'expired', 'failed'])(
    'is false for the status %s without money',
    (status) => {
      const observed = { status, chargedAmount: 0, updatedAt: payment.updatedAt };
      expect(mayHoldMoney({ ...record, observed })).toBe(false);
    },
  );

  it('is false for a payment without money', () => {
    expect(mayHoldMoney({ ...record, outcome: 'expired' })).toBe(false);
    expect(mayHoldMoney({ ...record, observed: null })).toBe(false);
  });
});
