import type { Account, Money, Outcome } from '../../src/contract/index.ts';

/** What the service returned when it created the payment; no later response repeats it. */
export type OpenedPayment = {
  /** The service's id of the payment. */
  paymentId: string;
  account: Account;
  /** When the service responded: ISO 8601 in UTC, on the service's clock. */
  openedAt: string;
  /** When the account expires: ISO 8601 in UTC, on the service's clock. */
  expiresAt: string;
  liveMode: boolean;
  /** The callback address that was registered with the service. */
  callbackUrl?: string;
  /** For a payment that is made on a page of the service; the texts of its account are empty. */
  link?: OpenedLink;
};

/**
 * A page of the service. There is no payment until somebody opens it: `paymentId` is the link's own id, until a verification
 * first finds the payment.
 */
export type OpenedLink = {
  authorizationUrl: string;
  /** The service has not stated the link's mode: `liveMode` is an assumption until the payment states it. */
  isModeAssumed?: boolean;
  /** The id of the payment in the newest response, if it differs from `paymentId`. */
  otherPaymentId?: string;
};

/** The newest accepted response of `payments.verify`. Amounts in minor units. */
export type ObservedPayment = { status: string; chargedAmount: number; updatedAt: string };

/** `since` is ISO 8601 in UTC, on the service's clock. `isLate`: the merchant has been warned that it takes long. */
export type Confirming = { since: string; isLate?: true };

/** `by` identifies the instance; `beats` grows every second while the instance lives. */
export type Opening = { by: string; beats: number };

/**
 * One payment for one order. It is written before the service is called, with `opened: null`, and again with the account
 * before anybody sees the account: an account that is not recorded has never been shown. It contains no customer data,
 * except what the service puts into the account's name.
 */
export type PaymentRecord = {
  /** The merchant's id of the payment at the service; unique. */
  reference: string;
  /** The merchant's order; unique together with `attempt`. */
  orderId: string;
  /** The number of the payment within its order, from 1. */
  attempt: number;
  /** What the order cost when the payment was created. */
  amount: Money;
  opened: OpenedPayment | null;
  observed: ObservedPayment | null;
  outcome: Outcome;
  /** For a pending payment whose money has arrived and is not confirmed yet. */
  confirming?: Confirming;
  /**
   * What had been charged when the outcome came about, in minor units; if that was nothing, the first money after it. For a
   * second payment, what had been reported before, if any. `observed` names more if more has arrived since.
   */
  outcomeAmount?: number;
  /** When the outcome came about: ISO 8601 in UTC, on the service's clock. */
  outcomeAt?: string;
  /** What has been reported as unexpected since the payment expired or failed, in minor units. */
  reportedAmount?: number;
  /** Set while an instance calls the service for this payment. */
  opening?: Opening;
  /** For a `paid` or `amountMismatch` payment whose order another payment had already paid: its money is unexpected. */
  isSecondPayment?: true;
  /** For a `reversed` payment whose outcome was `paid`. */
  wasPaid?: true;
  /** For a `reversed` payment that was never seen as paid: its money may still arrive. */
  isReversedUnpaid?: true;
  /**
   * Set while the service does not know the payment, although it has created it. When that was first seen: ISO 8601 in UTC,
   * on the service's clock.
   */
  notFoundSince?: string;
  /** ISO 8601 in UTC. */
  createdAt: string;
  /** Counts the writes; every update names the version that it read. */
  version: number;
};

/** Whether the outcome came about after the account had expired. */
export function isLate({ observed, outcomeAt = observed?.updatedAt, opened }: PaymentRecord): boolean {
  return opened !== null && outcomeAt !== undefined && Date.parse(outcomeAt) > Date.parse(opened.expiresAt);
}
