import { describe, expect, it } from 'vitest';
import {
  type NewEvent,
  type OrderOutcome,
  outboxOutcomes,
} from '../../../../server-kit/engine/order/event.ts';
import { newOrder, type Order } from '../../../../server-kit/engine/order/record.ts';
import { viewPayment } from '../../../../server-kit/engine/order/view.ts';
import { handlerPauseMs, toOutcomeEvent } from '../../../../server-kit/engine/outbox/deliver.ts';
import { handledOutcomes, handlerOf, isOvertaken } from '../../../../server-kit/engine/outbox/handlers.ts';
import { follow, opening, orderOf, paidOrder, price, shown } from '../order/orders.ts';

const names = ['onPaid', 'onFailed', 'onExpired', 'onAttention'];
const context = { signal: new AbortController().signal, transaction: 'the transaction' };
const naira = (value: number) => ({ value, currency: 'NGN' });

/** Calls the handlers of these events, and returns their names and arguments. */
async function callsOf({ order, events }: { order: Order; events: readonly NewEvent[] }) {
  // biome-ignore lint/suspicious/noExplicitAny: each handler has another argument
  const calls: { name: string; event: any }[] = [];
  const entries = names.map((name) => [name, async (event: unknown) => void calls.push({ name, event })]);
  const handlers = Object.fromEntries(entries);
  for (const event of events) {
    const handler = handlerOf(handlers, event);
    const call = { ...toOutcomeEvent(event, order), ...context, idempotencyKey: event.key };
    await handler?.(call);
  }
  return calls;
}

const paid = paidOrder('order-1');
const eventOf = (outcome: OrderOutcome): NewEvent[] =>
  paid.events.map((event) => ({ ...event, outcome }) as NewEvent);

describe('a handler', () => {
  it('may be missing, and is one for all money that needs attention', async () => {
    const events = outboxOutcomes.flatMap(eventOf);
    const called = (await callsOf({ order: paid.order, events })).map(({ name }) => name);
    expect(called).toEqual(['onPaid', 'onFailed', 'onExpired', ...Array(5).fill('onAttention')]);
    expect(events.map((event) => handlerOf({}, event))).toEqual(events.map(() => undefined));
    const outcomes = [
      'reversed',
      'amountMismatch',
      'unexpectedMoney',
      'unexpectedMoneyReversed',
      'otherPayment',
    ];
    expect(handledOutcomes({ onAttention: () => {} })).toEqual(outcomes);
    expect(handledOutcomes({})).toEqual([]);
  });

  it('gets the payment, the order, the money, the key, the signal and the transaction', async () => {
    const history = follow(orderOf(shown()), 'a expired 400 @31, a succeeded 1200 @32, a succeeded 5000 @33');
    const [payment] = history.order.payments as [ReturnType<typeof shown>];
    const order = { orderId: 'order-1', amount: price };
    const common = { payment: viewPayment(history.order, payment), order, ...context };
    const money = (amount: number) => ({ amount: naira(amount), total: naira(5000) });
    const keys = [':expired', ':unexpectedMoney:a:1', ':paid', ':unexpectedMoney:a:2'];
    const [expired, part, whole, more] = keys.map((key) => ({ ...common, idempotencyKey: `order-1${key}` }));
    expect((await callsOf(history)).map(({ event }) => event)).toStrictEqual([
      { ...expired, outcome: 'expired', money: money(0) },
      { ...part, outcome: 'unexpectedMoney', money: money(400), reason: 'tooLittle' },
      { ...whole, outcome: 'paid', money: money(800), late: true, excess: naira(200) },
      { ...more, outcome: 'unexpectedMoney', money: money(3800), reason: 'surplus' },
    ]);
  });

  it.each<[string, Order['payments']]>([
    ['not', []],
    ['without an account', [opening({ reference: 'order-1' })]],
  ])('is not called for a payment that is recorded %s', async (_how, payments) => {
    const calls = callsOf({ events: paid.events, order: { ...newOrder('order-1'), payments } });
    const message = 'order-1:paid: the payment order-1 is not recorded.';
    await expect(calls).rejects.toMatchObject({ code: 'internal_error', message });
  });
});

it.each(outboxOutcomes)('An event is overtaken if it says that nothing was paid: %s', (outcome) => {
  const results = eventOf(outcome).flatMap((event) =>
    [paid.order, newOrder('order-1')].map((record) => isOvertaken(event, record)),
  );
  expect(results).toEqual([outcome === 'expired' || outcome === 'failed', false]);
});

const pauses = (random: number) =>
  Array.from({ length: 100 }, (_, index) => handlerPauseMs(index + 1, random));

it('The pauses between tries begin with a second, and double up to an hour; jitter takes half of them at most', () => {
  expect(pauses(0.5).slice(0, 4)).toEqual([750, 1500, 3000, 6000]);
  expect(pauses(0).slice(10, 14)).toEqual([512_000, 1_024_000, 1_800_000, 1_800_000]);
  expect(Math.max(...pauses(0.999_999), handlerPauseMs(5000, 0.999_999))).toBeLessThanOrEqual(3_600_000);
});
