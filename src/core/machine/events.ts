import type { CheckoutError, PaymentView } from '../../contract/index.ts';
import type { StateName } from './state.ts';

type WithPayment = { readonly payment: PaymentView };

/**
 * What a page can hear of, and what it is told. No detail holds a secret. Of each, a page may prevent what would follow
 * by itself.
 */
export type CheckoutEventDetails = {
  /** There is something to show in place of the loading line, for the first time. Nothing follows. */
  readonly ready: WithPayment;
  /** Another screen. Nothing follows. */
  readonly statusChange: { readonly state: StateName; readonly payment: PaymentView | undefined };
  /** The shopper has copied something: it is on the clipboard. Follows: "Copied". */
  readonly copied: { readonly field: string };
  /** The shopper says that the money is sent. Follows: the screen `checking`, and a look. */
  readonly sent: WithPayment;
  /** Paid, in time; once for an order, also where more money comes. Follows: the way to `returnUrl`, where `returnAfterSeconds` says so. For the page only: goods are handed out by the server's `onPaid`. */
  readonly succeeded: WithPayment;
  /** A part has arrived; once for each. Nothing follows. */
  readonly partlyPaid: WithPayment;
  /** The account waits no more; money may still be on its way. Nothing follows. */
  readonly expired: WithPayment;
  /** Paid, after the account had expired; `succeeded` is not told then. Nothing follows. */
  readonly receivedLate: WithPayment;
  /** It failed, or less came than was asked for. Nothing follows. */
  readonly failed: WithPayment;
  /** The money was taken back. Nothing follows. */
  readonly reversed: WithPayment;
  /** Something has ended with an error. Follows: it is written to the console. */
  readonly error: { readonly error: CheckoutError };
  /** The checkout is about to close. Follows: it closes. */
  readonly close: { readonly state: StateName };
};

export type CheckoutEventName = keyof CheckoutEventDetails;

/**
 * The one list of events. An element sends them by these names in lower case; the options take a callback of the name
 * with `on` before it.
 */
export const checkoutEventNames = [
  'ready',
  'statusChange',
  'copied',
  'sent',
  'succeeded',
  'partlyPaid',
  'expired',
  'receivedLate',
  'failed',
  'reversed',
  'error',
  'close',
] as const satisfies readonly CheckoutEventName[];

/** Tells the page; false when what follows by itself shall not. */
export type Emit = <Name extends CheckoutEventName>(
  name: Name,
  detail: CheckoutEventDetails[Name],
) => boolean;
