import { expect, it } from 'vitest';
import {
  type NewEvent,
  type OrderOutcome,
  outboxOutcomes,
} from '../../../../server-kit/engine/order/event.ts';
import { viewPayment } from '../../../../server-kit/engine/order/view.ts';
import { handlerPauseMs, toOutcomeEvent } from '../../../../server-kit/engine/outbox/deliver.ts';
import { handledOutcomes, handlerOf } from '../../../../server-kit/engine/outbox/handlers.ts';
import { follow, orderOf, paidOrder, price, shown } from '../order/orders.ts';

const naira = (value: number) => ({ value, currency: 'NGN' });
const eventOf = (outcome: OrderOutcome): NewEvent[] =>
  paidOrder('order-1').events.map((event) => ({ ...event, outcome }) as NewEvent);

it('A handler may be missing, and is one for all money that needs attention', () => {
  const names = ['onPaid', 'onFailed', 'onExpired', 'onAttention'];
  const handlers = Object.fromEntries(names.map((name) => [name, () => name]));
  const events = outboxOutcomes.flatMap(eventOf);
  const called = events.map((event) => handlerOf(handlers, event)?.(event as never));
  expect(called).toEqual(['onPaid', 'onFailed', 'onExpired', ...Array(5).fill('onAttention')]);
  expect(events.map((event) => handlerOf({}, event))).toEqual(events.map(() => undefined));
  const other = ['unexpectedMoney', 'unexpectedMoneyReversed', 'otherPayment'];
  expect(handledOutcomes({ onAttention: () => {} })).toEqual(['reversed', 'amountMismatch', ...other]);
  expect(handledOutcomes({})).toEqual([]);
});

it('A handler gets the payment, the order and the money', () => {
  const history = 'a expired 400 @31, a succeeded 1200 @32, a succeeded 5000 @33';
  const { order, events } = follow(orderOf(shown()), history);
  const payment = viewPayment(order, order.payments[0] as ReturnType<typeof shown>);
  const common = { payment, order: { orderId: 'order-1', amount: price } };
  const money = (amount: number) => ({ amount: naira(amount), total: naira(5000) });
  expect(events.map((event) => ({ ...toOutcomeEvent(event, order) }))).toStrictEqual([
    { ...common, outcome: 'expired', money: money(0) },
    { ...common, outcome: 'unexpectedMoney', money: money(400), reason: 'tooLittle' },
    { ...common, outcome: 'paid', money: money(800), late: true, excess: naira(200) },
    { ...common, outcome: 'unexpectedMoney', money: money(3800), reason: 'surplus' },
  ]);
  const exact = paidOrder('order-1');
  const [event] = exact.events.map((one) => toOutcomeEvent(one, exact.order));
  expect(event).toMatchObject({ late: false, excess: null });
});

const pauses = (random: number) =>
  Array.from({ length: 100 }, (_, index) => handlerPauseMs(index + 1, random));

it('The pauses between tries begin with a second, and double up to an hour; jitter takes half of them at most', () => {
  expect(pauses(0.5).slice(0, 4)).toEqual([750, 1500, 3000, 6000]);
  expect(pauses(0).slice(10, 14)).toEqual([512_000, 1_024_000, 1_800_000, 1_800_000]);
  expect(Math.max(...pauses(0.999_999), handlerPauseMs(5000, 0.999_999))).toBeLessThanOrEqual(3_600_000);
});
