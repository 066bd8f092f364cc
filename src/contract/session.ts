import * as v from 'valibot';
import { MinorUnits, Money } from './money.ts';
import { NonEmpty } from './non-empty.ts';
import { WebUrl } from './web-url.ts';

/**
 * The payment statuses of the service (interface, section 2.5), in the order in which a payment passes them.
 * The list is open on the wire: a status that is not here reaches the reader as itself.
 */
export const paymentStatuses = [
  'initiated',
  'awaiting_charge',
  'charged',
  'succeeded',
  'failed',
  'expired',
  'reversed',
] as const;
export type PaymentStatus = (typeof paymentStatuses)[number];

/**
 * What the merchant's server has concluded about a payment. Only `paid` means that enough money came.
 *
 * - `pending`: nothing is decided; money may still arrive, or has arrived in part
 * - `paid`: succeeded, with at least the amount asked for
 * - `amountMismatch`: the service calls it succeeded, but less than the amount asked for came
 * - `expired`, `failed`, `reversed`: as the service says
 * - `replaced`: the order has a newer payment; nobody should pay into this account any more
 */
export const outcomes = [
  'pending',
  'paid',
  'amountMismatch',
  'expired',
  'failed',
  'reversed',
  'replaced',
] as const;
export type Outcome = (typeof outcomes)[number];

/** A check instead of `picklist`, which would bring its own messages into the browser. */
const KnownOutcome = v.pipe(
  v.string(),
  v.check((word) => outcomes.includes(word as Outcome)),
) as v.GenericSchema<string, Outcome | 'unclear'>;

/** ISO 8601 in UTC. */
const UtcTimestamp = v.pipe(
  v.string(),
  v.check((text) => /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(text) && Date.parse(text) > 0),
);

/** The account to pay into. All text is shown as text, whatever it holds. */
export const Account = v.object({ number: v.string(), name: v.string(), bankName: v.string() });
export type Account = v.InferOutput<typeof Account>;

/** What a browser may know of a payment. Nothing of the service's records is in it but what is named here. */
export const PaymentView = v.object({
  /** The merchant's id of the session's payment at the service: by it the view is read again. */
  reference: NonEmpty,
  /**
   * The reference of the payment that this view describes, where it is another payment of the order than the session's own: the one
   * that has paid the order, or may hold its money. This is what a shopper is shown and a shop is given. Left out by older servers.
   */
  paymentReference: v.optional(NonEmpty),
  account: Account,
  /** What the shopper is asked to pay. */
  amount: Money,
  /** What has arrived so far, in minor units of the same currency. */
  chargedAmount: MinorUnits,
  /**
   * What has arrived on all payments of the order, in minor units of the same currency. Left out where it is `chargedAmount`, and by
   * older servers.
   */
  orderChargedAmount: v.optional(MinorUnits),
  /** A `PaymentStatus`, or a word of a newer service. */
  status: v.string(),
  /** An `Outcome`. A word of a newer server is read as `unclear`: nobody should pay until it is clear. */
  outcome: v.fallback(KnownOutcome, 'unclear'),
  /** True when a payment was paid only after its account had expired. Left out by older servers. */
  receivedLate: v.optional(v.boolean()),
  /** When the service confirmed the money of a payment that is paid. Left out by older servers. */
  paidAt: v.optional(UtcTimestamp),
  /** When the account began to wait for money, on the service's clock. */
  openedAt: UtcTimestamp,
  /** When it stops waiting, on the service's clock. */
  expiresAt: UtcTimestamp,
  /** False in test mode. */
  liveMode: v.boolean(),
  /**
   * Of a payment that is made on a page of the service: that page, for as long as it can be paid there. Nobody can pay by
   * such a view: its account is empty texts, and its outcome `unclear` until all the money has come.
   */
  authorizationUrl: v.optional(WebUrl),
});
export type PaymentView = v.InferOutput<typeof PaymentView>;

/** The answer of `POST {base}/sessions`: the view, and the secret that lets its shopper read it again. */
export const Session = v.object({
  ...PaymentView.entries,
  /** A signed capability for this one payment. Send it only in `Authorization: Bearer`; never put it into a URL. */
  clientSecret: NonEmpty,
});
export type Session = v.InferOutput<typeof Session>;
