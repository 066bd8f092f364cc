import type { CheckoutError, PaymentView } from '../../contract/index.ts';
import type { StateName } from './state.ts';

type WithPayment = { readonly payment: PaymentView };
type WithPaid = {
  readonly payment: PaymentView;
  /** True the first time that this browser reports the payment as paid. Later loads and other tabs emit the event again. */
  readonly isFirst: boolean;
};

/**
 * The events of a checkout and their details. No detail contains a secret. `preventDefault()` prevents an event's default action.
 */
export type CheckoutEventDetails = {
  /** The first screen replaces the placeholder. */
  readonly ready: WithPayment;
  /** The screen has changed. */
  readonly statusChange: { readonly state: StateName; readonly payment: PaymentView | undefined };
  /** The shopper has copied a value to the clipboard. Default: shows a tick and "Copied". */
  readonly copied: { readonly field: string };
  /** The shopper claims to have sent the money. Default: shows the screen `checking` and checks the payment. */
  readonly sent: WithPayment;
  /**
   * The payment was paid in time; once per order and page. After a reload and in other tabs, `isFirst` is false. Default: redirects to
   * `returnUrl`, if `returnAfterSeconds` is set. For the page only: deliver goods in the server's `onPaid`.
   */
  readonly succeeded: WithPaid;
  /** A part of the amount has arrived; once per part. */
  readonly partlyPaid: WithPayment;
  /** The account has expired; money may still be on its way. */
  readonly expired: WithPayment;
  /** The payment was paid after its account had expired; emitted instead of `succeeded`. */
  readonly receivedLate: WithPaid;
  /** The payment failed, or less than the requested amount arrived. */
  readonly failed: WithPayment;
  /** The money was returned to the sender. */
  readonly reversed: WithPayment;
  /** An operation has failed. Default, unless the page has an `onError` callback: writes the error to the console. */
  readonly error: { readonly error: CheckoutError };
  /** The checkout is about to close. Default: closes it. */
  readonly close: { readonly state: StateName };
};

export type CheckoutEventName = keyof CheckoutEventDetails;

/** All event names. The custom element dispatches them in lower case; the options accept callbacks named `on` plus the name. */
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

/** Emits an event to the page; returns false when the page prevents the default action. */
export type Emit = <Name extends CheckoutEventName>(
  name: Name,
  detail: CheckoutEventDetails[Name],
) => boolean;
