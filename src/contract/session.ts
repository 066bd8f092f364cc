import * as v from 'valibot';
import { MinorUnits, Money, NonEmpty, UtcTimestamp, WebUrl } from './fields.ts';

/** The service's payment statuses, in the order in which a payment passes them. The list is open: an unknown status is passed on. */
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

/** The status in a view whose payment the service no longer knows. The outcome is `unclear`. */
export const notFoundStatus = 'not_found';

/**
 * The merchant's conclusion about a payment. Only `paid` means that enough money arrived.
 *
 * - `pending`: undecided; no money has arrived, or only a part
 * - `paid`: succeeded, with at least the requested amount
 * - `amountMismatch`: succeeded at the service, but with less than the requested amount
 * - `expired`, `failed`, `reversed`: as reported by the service
 * - `replaced`: another payment of the order counts; nobody should pay into this account
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

/** The account to pay into. Its texts are untrusted and shown as plain text. */
export const Account = v.object({ number: v.string(), name: v.string(), bankName: v.string() });
export type Account = v.InferOutput<typeof Account>;

/** The browser's view of a payment. It contains only these fields of the service's records. */
export const PaymentView = v.object({
  /** The merchant's id of the session's payment at the service. The route of the view contains it. */
  reference: NonEmpty,
  /** The reference of the described payment, where that is another payment of the order. The shopper and the shop see this reference. */
  paymentReference: v.optional(NonEmpty),
  /** `{ number, name, bankName }`: plain text, never HTML. */
  account: Account,
  /** The requested amount. */
  amount: Money,
  /** The amount received so far, in minor units of the same currency. */
  chargedAmount: MinorUnits,
  /** The amount received on all payments of the order, in minor units. Left out where it equals `chargedAmount`. */
  orderChargedAmount: v.optional(MinorUnits),
  /** A `PaymentStatus`, `notFoundStatus`, or a status of a newer service. */
  status: v.string(),
  /** An `Outcome`. An unknown one is read as `unclear`: nobody should pay until it is clear. */
  outcome: v.fallback(v.picklist([...outcomes, 'unclear']), 'unclear'),
  /** The payment was paid after its account had expired. */
  receivedLate: v.optional(v.boolean()),
  /** When the service confirmed the payment, also one that was reversed later. Left out until then. */
  paidAt: v.optional(UtcTimestamp),
  /** The shop's order, once it was paid: for the receipt. */
  orderId: v.optional(v.string()),
  /** When the account was opened, on the service's clock. */
  openedAt: UtcTimestamp,
  /** When the account expires, on the service's clock. */
  expiresAt: UtcTimestamp,
  /** False in test mode. */
  liveMode: v.boolean(),
  /** The payment page of the service, while the payment can be paid there: the account is then empty, and the outcome `unclear`. */
  authorizationUrl: v.optional(WebUrl),
});
export type PaymentView = v.InferOutput<typeof PaymentView>;

/** The bytes of a QR code whose modules are three pixels wide at its size: phones read no smaller ones. */
export const maxQrBytes = 331;

/** The response to `POST {base}/sessions`: the view, and the secret to retrieve it again. */
export const Session = v.object({
  ...PaymentView.entries,
  /** A signed capability for this payment. Send it only in the header `Checkout-Secret`; never put it into a URL. */
  clientSecret: NonEmpty,
  /** What the order costs now, where that differs from `amount`, because the order was changed. */
  orderAmount: v.optional(Money),
  /** The text of the QR code, instead of the account details, while the whole amount is to be sent to this account. */
  qrText: v.optional(v.string()),
});
export type Session = v.InferOutput<typeof Session>;

/** The response to `POST {base}/links`: a payment page of the service. The payment may not exist until that page is opened. */
export const CheckoutLink = v.object({
  /** The merchant's id of the payment at the service. */
  reference: NonEmpty,
  /** The payment page, http(s); or the shop's return page, where the order already has an account or is paid. */
  authorizationUrl: WebUrl,
  /** As in `Session`. */
  clientSecret: NonEmpty,
});
export type CheckoutLink = v.InferOutput<typeof CheckoutLink>;
