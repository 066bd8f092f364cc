import { describe, expect, it } from 'vitest';
import { type NewEvent, outboxOutcomes } from '../../../../server-kit/checkout/order/event.ts';
import {
  type ClosedPayment,
  newOrder,
  type OpeningPayment,
  type Order,
} from '../../../../server-kit/checkout/order/order.ts';
import type { UnmatchedPayment } from '../../../../server-kit/checkout/order/unmatched.ts';
import { viewPayment } from '../../../../server-kit/checkout/order/view.ts';
import {
  callHandler,
  type EventRecord,
  hasHandlers,
  isOvertaken,
} from '../../../../server-kit/checkout/outbox/handlers.ts';
import { follow, minute, naira, paidOrder, shown } from './orders.ts';

const names = [
  ...['onPaid', 'onFailed', 'onExpired', 'onReversed', 'onAmountMismatch', 'onUnexpectedMoney'],
  ...['onUnexpectedMoneyReversed', 'onUnmatchedMoney', 'onUnmatchedMoneyReversed'],
];
const context = { signal: new AbortController().signal, transaction: 'the transaction' };

/** Calls the handlers of these events, and returns their names and arguments. */
async function callsOf({ order, events }: { order: EventRecord; events: readonly NewEvent[] }) {
  // biome-ignore lint/suspicious/noExplicitAny: each handler has another argument
  const calls: { name: string; event: any }[] = [];
  const entries = names.map((name) => [name, async (event: unknown) => void calls.push({ name, event })]);
  for (const event of events) await callHandler(Object.fromEntries(entries), event, order, context);
  return calls;
}

const open = shown('tc_1');
const common = { reference: 'tc_1', amount: naira(1000), createdAt: minute(0) };
const opening: OpeningPayment = { ...common, state: 'opening', lease: { by: 'instance', endsAtMs: 0 } };
const unseen: ClosedPayment = {
  ...{ ...common, state: 'closed' },
  ...{ opened: null, observed: null, missingSince: null },
};
const facts = {
  ...{ reference: 'tc_1', paymentId: 'id of tc_1', liveMode: true },
  ...{ paymentMethod: 'dedicated_virtual_account', customerId: 'cus_1' },
};
const unmatched: UnmatchedPayment = {
  ...{ state: 'unmatched', ...facts, currency: 'NGN', createdAt: minute(0) },
  ...{ observed: null, reported: { amount: 400, events: 1 } },
};

describe('the handlers', () => {
  it('have the names of the outcomes, and may be missing', async () => {
    const { order, events } = follow('order-1', [open], 'succeeded 1000');
    const all = outboxOutcomes.flatMap((outcome) => events.map((event) => ({ ...event, outcome })));
    const called = (await callsOf({ order, events: all })).map(({ name }) => name);
    expect(called.toSorted()).toEqual(names.toSorted());
    expect(called).toEqual(outboxOutcomes.map((one) => `on${one[0]?.toUpperCase()}${one.slice(1)}`));
    for (const event of all) await callHandler({}, event, order, context);
    expect(names.map((name) => hasHandlers({ [name]: () => {} }))).toEqual(names.map(() => true));
    expect(hasHandlers({})).toBe(false);
  });

  it('get the payment, the order, the money, the key, the signal and the transaction', async () => {
    const history = follow('order-1', [open], 'expired 400, succeeded 1200');
    const payment = history.order.payments[0] as typeof open;
    const common = {
      payment: viewPayment(history.order, payment),
      order: { orderId: 'order-1', amount: naira(1000) },
      ...context,
    };
    const money = (amount: number) => ({ amount: naira(amount), total: naira(1200) });
    const keys = ['order-1:expired', 'order-1:unexpectedMoney:tc_1:1', 'order-1:paid'];
    const [expired, part, paid] = keys.map((idempotencyKey) => ({ ...common, idempotencyKey }));
    expect((await callsOf(history)).map(({ event }) => event)).toEqual([
      { ...expired, money: money(0) },
      { ...part, money: money(400), reason: 'tooLittle' },
      { ...paid, money: money(800), late: true, excess: naira(200) },
    ]);
  });

  it.each([
    ['is real', [unseen], true],
    [
      'is a test if the shown payments of its order are',
      [unseen, shown('tc_2', { opened: { ...open.opened, liveMode: false } })],
      false,
    ],
  ])('get a view of a payment that was never shown, which %s', async (_what, payments, liveMode) => {
    const [call] = await callsOf(follow('order-1', payments, 'succeeded 1000'));
    const account = { number: '', name: '', bankName: '' };
    expect(call?.event.payment).toEqual({
      ...{ reference: 'tc_1', account, amount: naira(1000), chargedAmount: 1000, liveMode },
      ...{ status: 'succeeded', outcome: 'replaced', openedAt: minute(0), expiresAt: minute(0) },
    });
  });

  it('get unmatched money without an order', async () => {
    const { events } = paidOrder('order-1');
    const unmatchedEvents = events.map((event) => ({ ...event, outcome: 'unmatchedMoney' as const }));
    const money = { amount: naira(1000), total: naira(400) };
    const event = { payment: facts, idempotencyKey: 'order-1:paid', money, ...context };
    expect(await callsOf({ order: unmatched, events: unmatchedEvents })).toEqual([
      { name: 'onUnmatchedMoney', event },
    ]);
  });

  it.each([
    ['succeeded 1000', null, false],
    ['succeeded 1001, succeeded 5000', naira(1), false],
    ['expired 0, succeeded 1000, succeeded 5000', null, true],
  ])('of a paid order get its excess, and whether it was late: %s', async (responses, excess, late) => {
    const calls = await callsOf(follow('order-1', [open], responses));
    expect(calls.find(({ name }) => name === 'onPaid')?.event).toMatchObject({ late, excess });
  });

  it('are waited for, and fail with what they throw', async () => {
    const { events, order } = paidOrder('order-1');
    const failure = new Error('no stock');
    for (const event of events) {
      const call = callHandler({ onPaid: () => Promise.reject(failure) }, event, order, context);
      await expect(call).rejects.toBe(failure);
    }
  });

  it.each<[string, Order['payments']]>([
    ['not', []],
    ['without an account', [opening]],
  ])('are not called for a payment that is recorded %s', async (_how, payments) => {
    const { events } = follow('order-1', [open], 'succeeded 1000');
    const message = 'order-1:paid: the payment tc_1 is not recorded.';
    const calls = callsOf({ events, order: { ...newOrder('order-1'), payments } });
    await expect(calls).rejects.toMatchObject({ code: 'internal_error', message });
  });
});

it.each(outboxOutcomes)('An event is overtaken if it says that nothing was paid: %s', (outcome) => {
  const { events, order } = paidOrder('order-1');
  const results = events.flatMap((event) =>
    [order, newOrder('order-1'), unmatched].map((record) => isOvertaken({ ...event, outcome }, record)),
  );
  expect(results).toEqual([outcome === 'expired' || outcome === 'failed', false, false]);
});
