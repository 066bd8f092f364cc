import { describe, expect, it } from 'vitest';
import { callHandler, hasHandlers, type PaidEvent } from '../../../server-kit/outbox/handlers.ts';
import { toPaymentView } from '../../../server-kit/payments/payment-view.ts';
import { type OutboxEvent, outboxOutcomes } from '../../../server-kit/stores/outbox-event.ts';
import type { PaymentRecord } from '../../../server-kit/stores/payment-record.ts';
import { openRecord } from '../payments/records.ts';

const names = ['onPaid', 'onFailed', 'onExpired', 'onReversed', 'onAmountMismatch', 'onUnexpectedMoney'];
const call = { signal: new AbortController().signal, transaction: 'the transaction' };

const eventOf = (outcome: OutboxEvent['outcome']): OutboxEvent => ({
  key: `order-1:${outcome}`,
  orderId: 'order-1',
  outcome,
  reference: 'tc_1',
  state: 'running',
  token: 1,
  failure: null,
});

/** A record that is paid with this amount. */
const paidWith = (change: Partial<PaymentRecord>, chargedAmount = 1000): PaymentRecord => ({
  ...openRecord,
  observed: { status: 'succeeded', chargedAmount, updatedAt: '2026-03-01T12:05:00.000Z' },
  outcome: 'paid',
  ...change,
});

async function paidEventOf(record: PaymentRecord): Promise<PaidEvent | undefined> {
  const events: PaidEvent[] = [];
  await callHandler({ onPaid: (event) => events.push(event) }, eventOf('paid'), record, call);
  return events[0];
}

describe('the handler of an event', () => {
  it.each(outboxOutcomes.map((outcome, index) => [names[index] ?? '', outcome] as const))(
    'is %s for the outcome %s, and gets the payment, the order, the key, the signal and the transaction',
    async (name, outcome) => {
      const calls: unknown[] = [];
      const handlers = Object.fromEntries(
        names.map((one) => [one, async (event: unknown) => void calls.push([one, event])]),
      );
      await callHandler(handlers, eventOf(outcome), openRecord, call);
      const event = {
        payment: toPaymentView(openRecord),
        order: { orderId: 'order-1', amount: { value: 1000, currency: 'NGN' } },
        idempotencyKey: `order-1:${outcome}`,
        ...call,
        ...(outcome === 'paid' && { late: false, excess: null }),
      };
      expect(calls).toEqual([[name, event]]);
    },
  );

  it.each(outboxOutcomes)('may be missing: %s', async (outcome) => {
    await callHandler({}, eventOf(outcome), openRecord, call);
  });

  it.each(outboxOutcomes)('is waited for, and its failure is passed on: %s', async (outcome) => {
    const failure = new Error('no stock');
    const failing = Object.fromEntries(names.map((name) => [name, () => Promise.reject(failure)]));
    await expect(callHandler(failing, eventOf(outcome), openRecord, call)).rejects.toBe(failure);
  });

  it.each([
    ['not', undefined],
    ['without an account', { ...openRecord, opened: null }],
  ])('is not called for a payment that is recorded %s', async (_how, record) => {
    await expect(callHandler({}, eventOf('paid'), record, call)).rejects.toMatchObject({
      code: 'internal_error',
      message: expect.stringMatching(/order-1:paid.*tc_1/),
    });
  });
});

describe('a paid order', () => {
  it.each([
    ['the amount', {}, 1000, null],
    ['one more', {}, 1001, 1],
    ['less, which a person has accepted', {}, 999, null],
    ['one more when it was paid, and more since', { outcomeAmount: 1001 }, 5000, 1],
    ['the amount when it was paid, and more since', { outcomeAmount: 1000 }, 5000, null],
    ['nothing that is known', { observed: null }, 0, null],
  ])('with %s has an excess of what came above', async (_what, change, chargedAmount, value) => {
    const { excess } = (await paidEventOf(paidWith(change, chargedAmount))) ?? {};
    expect(excess).toEqual(value === null ? null : { value, currency: 'NGN' });
  });

  it.each([
    ['in time', openRecord.opened?.expiresAt, false],
    ['late', '2026-03-01T12:30:00.001Z', true],
  ])('that was confirmed %s says so', async (_when, outcomeAt = '', late) => {
    expect(await paidEventOf(paidWith({ outcomeAt }))).toMatchObject({ late });
  });
});

it('knows whether the options have any handler', () => {
  expect(names.map((name) => hasHandlers({ [name]: () => {} }))).toEqual(names.map(() => true));
  expect(hasHandlers({})).toBe(false);
});
