import type { Account, Money } from '../../../src/contract/index.ts';

/** Everything that is known of one order, in one record: it is read and written as a whole. */
export type Order = {
  /** The merchant's id of the order. */
  orderId: string;
  /** In the order of their creation. */
  payments: readonly Payment[];
  reported: Reported;
  /** What people have done about it, the newest last. */
  notes?: readonly Note[];
};

/** `events`: the number of events that had been reported when the note was made. `at`: ISO 8601 in UTC, on the service's clock. */
export type Note = { at: string; text: string; events: number };

/**
 * One payment at the service.
 *
 * - `opening`: an instance calls the service for it; nobody has seen an account
 * - `open`: its account, or its page, was recorded; money on it counts for the order, also after it has expired or failed
 * - `closed`: it does not count for the order, or no longer; money on it is unexpected
 */
export type Payment = OpeningPayment | OpenPayment | ClosedPayment;

type CommonPayment = {
  /** The merchant's id of the payment at the service; unique. */
  reference: string;
  /** What the order cost when the payment was created. */
  amount: Money;
  /** ISO 8601 in UTC, on the service's clock. */
  createdAt: string;
};

export type OpeningPayment = CommonPayment & { state: 'opening'; lease: Lease };

type Verified = {
  observed: Observation | null;
  /** Since when the service does not know the payment, although it has created it; `null` while it does. */
  missingSince: string | null;
  /** The id of another payment that the service has named for this reference, without what makes up for the money on this one. */
  otherId?: string;
};

export type OpenPayment = CommonPayment & Verified & { state: 'open'; opened: Opened };

/** `opened` is `null` if its account was never recorded, or shown; the service may have created it anyway. */
export type ClosedPayment = CommonPayment & Verified & { state: 'closed'; opened: Opened | null };

/** A payment that the service is asked about. */
export type KnownPayment = OpenPayment | ClosedPayment;

/** A payment whose account a shopper may have seen. */
export type ShownPayment = OpenPayment | (ClosedPayment & { opened: Opened });

/** The right of one request to call the service for a payment. Ends at a moment of the store's clock, in milliseconds, at which no other lease of the payment ends. */
export type Lease = {
  endsAtMs: number;
  /** The service has refused to create the payment, so it does not exist. Otherwise it may, from the moment the lease was given. */
  isRefused?: true;
};

/** What the service returned when it created the payment; no later response repeats it. Times on the service's clock. */
export type Opened = OpenedAccount | OpenedLink;

type CommonOpened = {
  openedAt: string;
  expiresAt: string;
  liveMode: boolean;
  /** The callback address that was registered with the service. */
  callbackUrl: string;
};

export type OpenedAccount = CommonOpened & { kind: 'account'; paymentId: string; account: Account };

/** A page of the service. There is no payment until somebody opens it. */
export type OpenedLink = CommonOpened & {
  kind: 'link';
  authorizationUrl: string;
  /** `null` until a verification has found the payment that opening the page creates. */
  paymentId: string | null;
  /** The service has not stated the link's mode: `liveMode` is an assumption until the payment states it. */
  isModeAssumed?: true;
};

/** The newest accepted response about a payment. Amounts in minor units, including fees. */
export type Observation = {
  status: string;
  chargedAmount: number;
  /** The least amount that the service counts as a full payment. */
  expectedAmount: number;
  /** ISO 8601 in UTC, on the service's clock. */
  updatedAt: string;
  /** Since when money waits to be confirmed. */
  confirmingSince?: string;
  /** The date of the last reversal: what is dated before it is stale. */
  reversedAt?: string;
};

/** What is in the outbox for the merchant, delivered or not: every event of the order is counted here. */
export type Reported = {
  events: number;
  /** The payment that has paid the order. Set once, in the write that adds the `paid` event. */
  paid: Paid | null;
  /** The payment of the `amountMismatch` event. */
  mismatch: Mismatch | null;
  /** The endings that have an event; each is reported once per order. */
  ended: readonly Ending[];
  /** The payments of which the merchant was notified that the service has named another one. */
  others?: readonly string[];
  /** By reference: the confirmed money that was reported to the merchant. */
  money: Readonly<Record<string, ReportedMoney>>;
};

export type Ending = 'expired' | 'failed';

/** `at`: when the service confirmed it, on its clock. `amount`: what was confirmed then, in minor units. */
export type Paid = { by: string; at: string; amount: number; isReversed: boolean };

export type Mismatch = { of: string; isReversed: boolean };

/** `movements` numbers the events about unexpected money, for their keys. */
export type ReportedMoney = { amount: number; movements: number };

/**
 * Returns the record of an order without payments. In it, and in each payment, what rarely changes comes last: PostgreSQL logs all that is
 * between the first and the last change of a row.
 */
export const newOrder = (orderId: string): Order => ({
  orderId,
  reported: { events: 0, paid: null, mismatch: null, ended: [], money: {} },
  payments: [],
});

export const isShown = (payment: Payment | undefined): payment is ShownPayment =>
  payment !== undefined && payment.state !== 'opening' && payment.opened !== null;

export const findPayment = (order: Order, reference: string): Payment | undefined =>
  order.payments.find((payment) => payment.reference === reference);

/** Returns the order with this payment in place of the one with its reference. */
export const withPayment = (order: Order, changed: Payment): Order => ({
  ...order,
  payments: order.payments.map((payment) => (payment.reference === changed.reference ? changed : payment)),
});

export const isSameAmount = (left: Money, right: Money): boolean =>
  left.value === right.value && left.currency === right.currency;

export const accountNumbersOf = ({ payments }: Order): string[] =>
  payments.flatMap((payment) =>
    isShown(payment) && payment.opened.kind === 'account' ? payment.opened.account.number : [],
  );

export const referencesOf = ({ payments }: Order): string[] => payments.map(({ reference }) => reference);

/** Returns what the service has said of a payment; `null` for nothing. */
export const observationOf = (payment: Payment): Observation | null =>
  payment.state === 'opening' ? null : payment.observed;
