import { type Situation, situations } from '../../server-kit/engine/order/advice.ts';
import { observe } from '../../server-kit/engine/order/observe.ts';
import { newOrder, type OpenPayment, type Order } from '../../server-kit/engine/order/record.ts';
import { report } from '../../server-kit/engine/order/report.ts';
import { toOrderText, toReport } from '../../server-kit/engine/telemetry/order-report.ts';
import { block, code } from './markdown.ts';

export const amount = { value: 1_250_000, currency: 'NGN' };
export const timeOf = (minutes: number): string => new Date(Date.UTC(2026, 11, 3, 13, minutes)).toISOString();
export const payment: OpenPayment = {
  state: 'open',
  reference: 'tc_7f3k9qxm2d4w',
  amount,
  createdAt: timeOf(0),
  missingSince: null,
  observed: null,
  opened: {
    kind: 'account',
    paymentId: 'pay_1',
    account: { number: '9012345678', name: 'SHOP/ADA OBI', bankName: 'Wema Bank' },
    openedAt: timeOf(0),
    expiresAt: timeOf(30),
    liveMode: true,
    callbackUrl: 'https://shop.example/checkout/callbacks',
  },
};
const link: OpenPayment = {
  ...payment,
  opened: {
    ...payment.opened,
    kind: 'link',
    paymentId: null,
    authorizationUrl: 'https://pay.service.example/1',
  } as OpenPayment['opened'],
};
const test: OpenPayment = { ...payment, opened: { ...payment.opened, liveMode: false } };
const orderOf = (...payments: Order['payments']): Order => ({ ...newOrder('1001'), payments });

/** What the service says of a payment, at a minute. */
export type Said = readonly [status: string, chargedAmount: number, minutes: number, paymentId?: string];

export const response = {
  reference: payment.reference,
  currency: 'NGN',
  liveMode: true,
  expectedAmount: amount.value,
};

function after(order: Order, ...said: readonly Said[]): Order {
  return said.reduce((before, [status, chargedAmount, minutes, paymentId = 'pay_1']) => {
    const said = { ...response, paymentId, status, chargedAmount, updatedAt: timeOf(minutes) };
    return report(observe(before, payment.reference, said).record).record;
  }, order);
}

export const open = orderOf(payment);
/** An order whose account was replaced. */
export const closed = orderOf({ ...payment, state: 'closed' } as Order['payments'][number]);
const overpaid = after(open, ['succeeded', 1_350_000, 3]);
const untaken = {
  key: '1001:paid',
  orderId: '1001',
  outcome: 'paid',
  isLate: false,
  reference: payment.reference,
  position: 0,
  amount: amount.value,
  token: 7,
  failure: 'http://127.0.0.1:8000/checkout/webhook responded with 500; the event is sent again.',
  isParked: false,
} as const;

/** An order in each situation. `at`: the minute at which somebody looks. */
const samples: Record<Situation, { order: Order; at?: number; isAsked?: false; isUntaken?: true }> = {
  paid: { order: after(open, ['succeeded', amount.value, 3]) },
  paidUntaken: { order: after(open, ['succeeded', amount.value, 3]), isUntaken: true },
  overpaid: { order: overpaid },
  reversed: { order: after(open, ['succeeded', amount.value, 3], ['reversed', 0, 90]), at: 95 },
  confirming: { order: after(open, ['charged', amount.value, 3]), at: 5 },
  confirmationLate: { order: after(open, ['charged', amount.value, 3]), at: 25 },
  partOpen: { order: after(open, ['charged', 1_150_000, 3]), at: 5 },
  tooLittle: { order: after(open, ['succeeded', 1_150_000, 3]), at: 40 },
  oldAccount: {
    order: after(closed, ['succeeded', amount.value, 3]),
  },
  failedWithMoney: { order: after(open, ['failed', amount.value, 3]) },
  otherPayment: { order: after(open, ['charged', amount.value, 3], ['awaiting_charge', 0, 5, 'pay_2']) },
  unknown: { order: open, isAsked: false },
  lost: { order: orderOf({ ...payment, missingSince: timeOf(2) }) },
  lostTest: { order: orderOf({ ...test, missingSince: timeOf(2) }) },
  nothing: { order: after(open, ['awaiting_charge', 0, 0]) },
  expired: { order: after(open, ['expired', 0, 30]), at: 60 },
  failed: { order: after(open, ['failed', 0, 3]) },
  takenBack: { order: after(open, ['charged', amount.value, 3], ['reversed', 0, 6]) },
  linkUnopened: { order: orderOf(link) },
  noAccount: { order: orderOf() },
  noted: {
    order: { ...overpaid, notes: [{ at: timeOf(300), text: 'Returned ₦1,000 to Ada Obi', events: 1 }] },
    at: 310,
  },
};

/** Returns what the command prints in each situation. */
export const orderSituations = (): string => situations.map(toSection).join('\n\n');

function toSection(situation: Situation): string {
  const { order, at = 10, isAsked = true, isUntaken } = samples[situation];
  const events = isUntaken ? [untaken] : [];
  const stored = { record: order, version: 1, storeNow: 0, events };
  const made = toReport(stored, {
    isAsked,
    sharedWith: [],
    timeZone: 'Africa/Lagos',
    now: Date.parse(timeOf(at)),
  });
  if (made.situation !== situation)
    throw new Error(`The sample of ${situation} is an order that is ${made.situation}.`);
  return `### ${code(situation)}\n\n${block(toOrderText(made))}`;
}
