import type { NewEvent } from '../../../../server-kit/engine/order/event.ts';
import type { ServiceResponse } from '../../../../server-kit/engine/order/observe.ts';
import { observe } from '../../../../server-kit/engine/order/observe.ts';
import {
  type ClosedPayment,
  newOrder,
  type Observation,
  type OpenedAccount,
  type OpenedLink,
  type OpeningPayment,
  type Order,
  type Payment,
  type ShownPayment,
} from '../../../../server-kit/engine/order/record.ts';
import { report } from '../../../../server-kit/engine/order/report.ts';

export const price = { value: 1000, currency: 'NGN' } as const;

/** Accounts are opened at noon. */
export const openedMs = Date.UTC(2026, 2, 1, 12);
export const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;
/** And expire half an hour later. */
export const expiresMs = openedMs + 30 * minuteMs;

export const at = (seconds: number): string => new Date(openedMs + seconds * 1000).toISOString();

const opened = {
  openedAt: at(0),
  expiresAt: new Date(expiresMs).toISOString(),
  liveMode: false,
  callbackUrl: 'https://shop.example/callbacks',
};
export const account: OpenedAccount = {
  ...opened,
  kind: 'account',
  paymentId: 'pay_a',
  account: { number: '9990000018', name: 'Shop', bankName: 'Bank' },
};
const authorizationUrl = 'https://service.example/pay';
export const link: OpenedLink = { ...opened, kind: 'link', paymentId: null, authorizationUrl };

const common = { reference: 'a', amount: price, createdAt: at(0) };

/** A payment that is open, and about which the service has said nothing, with these changes. */
export function shown(change: Partial<ShownPayment> = {}): ShownPayment {
  const { reference = 'a' } = change;
  const own = { ...account, paymentId: `pay_${reference}` };
  return { ...common, state: 'open', opened: own, observed: null, missingSince: null, ...change };
}

export const shownLink = (change: Partial<OpenedLink> = {}, payment: Partial<ShownPayment> = {}) =>
  shown({ opened: { ...link, ...change }, ...payment });

/** A payment whose account was never shown. */
const nothing = { opened: null, observed: null, missingSince: null };
export const unseen = (change: Partial<ClosedPayment> = {}): ClosedPayment => {
  return { ...common, ...nothing, state: 'closed', ...change };
};

export const opening = (change: Partial<OpeningPayment> = {}): OpeningPayment => ({
  ...common,
  state: 'opening',
  lease: { endsAtMs: 5000 },
  ...change,
});

export const orderOf = (...payments: Payment[]): Order => ({ ...newOrder('order-1'), payments });

/** What is known of a payment with this status and money, a number of seconds after noon. */
export const observed = (status: string, chargedAmount = 0, seconds = 300): Observation => ({
  status,
  chargedAmount,
  expectedAmount: price.value,
  updatedAt: at(seconds),
});

/** The service's response that `reference` has this status and money. */
export const response = (
  reference: string,
  status: string,
  chargedAmount: number | null = 0,
  seconds = 300,
): ServiceResponse => ({
  paymentId: `pay_${reference}`,
  reference,
  currency: price.currency,
  liveMode: false,
  status,
  chargedAmount,
  expectedAmount: price.value,
  updatedAt: at(seconds),
});

/**
 * Records and reports responses one after the other, a minute apart, each written as `a charged 1000`, or with the minutes after
 * noon as `a charged 1000 @3`; an amount that is not named is `?`. Returns the order and its events.
 */
export function follow(start: Order, history: string): { order: Order; events: NewEvent[] } {
  let order = start;
  const events = history.split(', ').flatMap((text, index) => {
    const [reference = '', status = '', amount, minutes = index + 1] = text.split(/ @?/);
    const said = response(reference, status, amount === '?' ? null : Number(amount), Number(minutes) * 60);
    const reported = report(observe(order, reference, said).record);
    order = reported.record;
    return reported.events;
  });
  return { order, events };
}

/** A paid order, and its one event. */
export const paidOrder = (orderId: string) =>
  follow({ ...orderOf(shown({ reference: orderId })), orderId }, `${orderId} succeeded 1000`);
