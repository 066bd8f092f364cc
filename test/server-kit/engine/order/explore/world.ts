import { nextDue } from '../../../../../server-kit/engine/order/next-due.ts';
import { nextStep } from '../../../../../server-kit/engine/order/next-step.ts';
import { observe, observeMissing } from '../../../../../server-kit/engine/order/observe.ts';
import { newOrder, type Order } from '../../../../../server-kit/engine/order/record.ts';
import { report } from '../../../../../server-kit/engine/order/report.ts';
import { view } from '../../../../../server-kit/engine/order/view.ts';
import type { PaymentStatus } from '../../../../../src/contract/index.ts';

/** The functions that are searched. A test replaces one by a faulty variant, to see that the search finds it. */
export const realFunctions = { observe, observeMissing, report, nextStep, nextDue, view };
export type Functions = typeof realFunctions;

/** What a search includes. */
export type Setup = {
  functions: Functions;
  /** The most payments of the order. */
  payments: number;
  /** Whether a payment is a link: its page makes a payment when it is opened, and may make another after one without money. */
  isLink: boolean;
  /** The amounts that shoppers send, besides none. */
  amounts: readonly ('less' | 'exact' | 'more')[];
  /** How many changes of a payment ago the state may be with which a node of the service responds, or a response was made. */
  lateBy: number;
  /** Whether the nodes' clocks differ, so that a change may have the date of the one before it, or an earlier date. */
  hasSkewedClocks: boolean;
  /** Whether nodes may respond without the amount. */
  omitsAmounts: boolean;
  /** Whether the service says a status that we do not know, takes back unconfirmed money below the price, and ends charged payments late. */
  isStrange: boolean;
  /** Whether the cart changes between two prices. */
  hasTwoPrices: boolean;
  /** The mode of the payments, if the service may lose them; `null` if it loses none. */
  loses: 'test' | 'live' | null;
  /** How often confirmed money of one payment is taken back; the shopper pays again in between. */
  reversals: number;
  /** The most requests for a session that are under way, step by step; each may crash before or after each step. */
  requests: number;
};

/** A status that a later version of the service may say. */
export const unknownStatus = 'a_status_of_tomorrow';
export type ServiceStatus = PaymentStatus | typeof unknownStatus;

/** A payment at the service at one time. `at` is its `updatedAt`. `page` numbers a link's payments; 0 before its page is opened. */
export type Snapshot = { status: ServiceStatus; amount: number; at: string; page: number };

/** One payment at the service, and what is counted of it to judge the order by. */
export type Truth = {
  /** `null` before the service has created it. */
  now: Snapshot | null;
  /** What late nodes may respond with, the newest first. */
  earlier: readonly Snapshot[];
  isLost: boolean;
  reversals: number;
  /** The amount that the service has confirmed. */
  confirmed: number;
  /** Confirmed money that came, and that went again, without an event so far. */
  came: number;
  went: number;
  /** How many changes ago the newest snapshot was current that the order has been given. */
  seenAge: number;
  /** Whether no money was on the payment when the last response was made that the order has accepted. */
  wasClean: boolean;
};

/** What the service says about a payment; `null` for one that it does not know. `age` in changes of the payment. */
export type Response = {
  index: number;
  snapshot: Snapshot | null;
  age: number;
  omitsAmount: boolean;
};

/** What an instance is in the middle of. A crash removes it. */
export type Operation =
  | { kind: 'request'; price: number; tried: readonly string[]; verified: readonly string[] }
  /** It has, or has had, the lease of the payment, which an earlier call may have created. */
  | { kind: 'opening'; index: number; isHolder: boolean; mayExist: boolean; call: Call };

/** What has become of a call for a payment. */
export type Call = 'before' | 'responded' | 'lost' | 'refused';

export type World = {
  order: Order;
  /** At the index of the payment in the order. */
  truths: readonly Truth[];
  operations: readonly Operation[];
  /** What the cart costs. */
  price: number;
  /** The keys of all events so far. */
  keys: readonly string[];
  /** Set by the step that has broken an invariant. */
  broken: Broken | null;
};

/** A broken invariant. */
export type Broken = { rule: string; text: string };

export type Step = { label: string; world: World };

export const prices = [2, 3] as const;
export const currency = 'NGN';

export const nowMs = Date.parse('2026-03-01T12:00:00.000Z');
const minuteMs = 60_000;
/** How far the clocks of the service's nodes are apart. */
export const skewMs = 4000;
/** The time between two changes of a payment, unless they are only seconds apart. */
export const changePauseMs = 180 * minuteMs;

const isoDates = new Map<number, string>();

/** Returns the moment as ISO 8601. Only few moments occur, and each is written once. */
export function toIso(ms: number): string {
  const iso = isoDates.get(ms) ?? new Date(ms).toISOString();
  isoDates.set(ms, iso);
  return iso;
}

export const nowIso = toIso(nowMs);
export const expiryIso = toIso(nowMs + 30 * minuteMs);
/** In place of every date in the past that is only shown. */
export const shownDate = toIso(nowMs - 1000 * minuteMs);

export const createWorld = (): World => ({
  order: newOrder('order'),
  truths: [],
  operations: [],
  price: prices[0],
  keys: [],
  broken: null,
});

export const createTruth = (): Truth => ({
  now: null,
  earlier: [],
  isLost: false,
  reversals: 0,
  confirmed: 0,
  came: 0,
  went: 0,
  seenAge: 0,
  wasClean: true,
});

export const referenceOf = (index: number): string => `p${index}`;
export const indexOf = (reference: string): number => Number(reference.slice(1));

/** What a label says of a response that was current so many changes ago. */
export const lateness = (age: number): string => (age === 0 ? '' : `, ${age} changes late`);

export const withTruth = (world: World, index: number, truth: Truth): World => ({
  ...world,
  truths: world.truths.with(index, truth),
});

/** Whether the service says that money is on a payment; the model's own opinion. */
export const hasMoney = ({ status, amount }: { status: string; amount: number }): boolean =>
  status !== 'reversed' && (amount > 0 || status === 'charged' || status === 'succeeded');
