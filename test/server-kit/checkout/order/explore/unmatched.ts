import type { OpenPayment, Order, Payment } from '../../../../../server-kit/checkout/order/order.ts';
import {
  observeUnmatched,
  reportUnmatched,
  type UnmatchedPayment,
} from '../../../../../server-kit/checkout/order/unmatched.ts';
import { isOrder } from '../../../../../server-kit/checkout/order/watched.ts';
import { currency, type Functions, realFunctions } from './world.ts';

const paymentOf = ({ payments: [payment] }: Order): OpenPayment | undefined =>
  payment?.state === 'open' ? payment : undefined;

function toUnmatched({ reported }: Order, { reference, opened, createdAt, observed }: OpenPayment) {
  const { liveMode, paymentId } = opened;
  const known: UnmatchedPayment = {
    state: 'unmatched',
    reference,
    paymentId: paymentId ?? '',
    currency,
    liveMode,
    paymentMethod: null,
    customerId: null,
    createdAt,
    observed,
    reported: { amount: reported.money[reference]?.amount ?? 0, events: reported.events },
  };
  return known;
}

function toOrder(order: Order, payment: OpenPayment, { observed, reported }: UnmatchedPayment): Order {
  const { amount, events } = reported;
  const money = events === 0 ? {} : { [payment.reference]: { amount, movements: events } };
  const payments: Payment[] = [observed === payment.observed ? payment : { ...payment, observed }];
  return { ...order, payments, reported: { ...order.reported, events, money } };
}

/** The functions that decide an unmatched payment, for a search that keeps it as the one payment of an order. */
export const unmatchedFunctions: Functions = {
  ...realFunctions,
  observe(order, reference, response) {
    const payment = paymentOf(order);
    if (payment === undefined) return realFunctions.observe(order, reference, response);
    const known = toUnmatched(order, payment);
    const { record, ignored } = observeUnmatched(known, response);
    return { record: record === known ? order : toOrder(order, payment, record), ignored };
  },
  report(order) {
    const payment = paymentOf(order);
    if (payment === undefined) return realFunctions.report(order);
    const { record, events } = reportUnmatched(toUnmatched(order, payment));
    return { record: events.length === 0 ? order : toOrder(order, payment, record), events };
  },
  nextDue(record, facts) {
    const payment = isOrder(record) ? paymentOf(record) : undefined;
    const isOne = isOrder(record) && payment !== undefined;
    return realFunctions.nextDue(isOne ? toUnmatched(record, payment) : record, facts);
  },
  // No session is requested for it.
  nextStep(order, request, facts) {
    const { reference } = request;
    if (paymentOf(order) === undefined) return realFunctions.nextStep(order, request, facts);
    return { name: 'open', order, reference, mayExist: false };
  },
};
