import type { NewEvent } from '../../../../server-kit/checkout/order/event.ts';
import { observe } from '../../../../server-kit/checkout/order/observe.ts';
import { newOrder, type Order, type ShownPayment } from '../../../../server-kit/checkout/order/order.ts';
import { report } from '../../../../server-kit/checkout/order/report.ts';

export const naira = (value: number) => ({ value, currency: 'NGN' });

/** Minutes after noon. */
export const minute = (minutes: number): string => new Date(Date.UTC(2026, 2, 1, 12, minutes)).toISOString();

/** A payment of 1,000 whose account is open from noon to half past. */
export const shown = (reference: string, change: Partial<ShownPayment> = {}): ShownPayment => ({
  ...{
    state: 'open',
    reference,
    amount: naira(1000),
    createdAt: minute(0),
    observed: null,
    missingSince: null,
  },
  opened: {
    ...{ kind: 'account', paymentId: `id of ${reference}`, openedAt: minute(0), expiresAt: minute(30) },
    account: { number: '0123456789', name: 'Shop', bankName: 'Bank' },
    ...{ liveMode: true, callbackUrl: 'https://shop.example/checkout/callbacks' },
  },
  ...change,
});

/** Responses of the service, a minute apart, the first `expired` after half past: `succeeded 900, tc_2 succeeded 1000`. */
export function parseResponses(text: string) {
  let minutes = 5;
  return text.split(', ').map((response) => {
    const [chargedAmount, status = '', reference = 'tc_1'] = response.split(' ').reverse();
    minutes = status === 'expired' ? 31 : minutes + 1;
    return {
      ...{ paymentId: `id of ${reference}`, reference, currency: 'NGN', liveMode: true, status },
      ...{ chargedAmount: Number(chargedAmount), expectedAmount: 1000, updatedAt: minute(minutes) },
    };
  });
}

/** Returns an order after responses of the service, and its events. */
export function follow(orderId: string, payments: Order['payments'], responses: string) {
  let order: Order = { ...newOrder(orderId), payments };
  const events: NewEvent[] = [];
  for (const response of parseResponses(responses)) {
    const reported = report(observe(order, response.reference, response).record);
    order = reported.record;
    events.push(...reported.events);
  }
  return { order, events };
}

/** A paid order, and its one event. */
export const paidOrder = (orderId: string) =>
  follow(orderId, [shown(`tc_${orderId}`)], `tc_${orderId} succeeded 1000`);
