import type { Account, Money, Outcome } from '../../src/contract/index.ts';

/** What the service told us when it made the payment: the part that no later answer repeats. */
export type OpenedPayment = {
  /** The service's id of the payment. */
  paymentId: string;
  account: Account;
  /** When the service answered: ISO 8601 in UTC, on the service's clock. */
  openedAt: string;
  /** When the account stops waiting: ISO 8601 in UTC, on the service's clock. */
  expiresAt: string;
  liveMode: boolean;
};

/** The newest answer of verify that we have seen. Amounts in minor units. */
export type ObservedPayment = { status: string; chargedAmount: number; updatedAt: string };

/**
 * One attempt to pay one order. It is written before the service is called, with `opened: null`, and again with
 * the account before anybody sees it: an account that is not recorded has never been shown.
 */
export type PaymentRecord = {
  /** The merchant's id of the payment at the service; unique. */
  reference: string;
  /** The merchant's order; unique together with `attempt`. */
  orderId: string;
  /** 1 for the first attempt at an order, and so on. */
  attempt: number;
  /** What the order costs, as the merchant's server said when the attempt was made. */
  amount: Money;
  opened: OpenedPayment | null;
  observed: ObservedPayment | null;
  outcome: Outcome;
  /** ISO 8601 in UTC. */
  createdAt: string;
  /** Counts the writes; every update names the version that it read. */
  version: number;
};

/**
 * Where payments are recorded. Four calls, each atomic; everything else is built on them, so that a store for a
 * database is a page of code. No method returns an object that a caller could change the store through.
 */
export type Store = {
  /** Adds a record. Gives false, and changes nothing, when its reference or its (orderId, attempt) is taken. */
  insert: (record: PaymentRecord) => Promise<boolean>;
  /**
   * Compare-and-set: replaces the record of this reference when its stored version is `record.version`, and stores
   * it under the next version. Gives the stored record, or `undefined` when another write came first.
   */
  update: (record: PaymentRecord) => Promise<PaymentRecord | undefined>;
  findByReference: (reference: string) => Promise<PaymentRecord | undefined>;
  /** All attempts at an order, in the order of `attempt`; empty for an unknown order. */
  listByOrder: (orderId: string) => Promise<PaymentRecord[]>;
};
