import type { CheckoutError, PaymentView } from '../contract/index.ts';
import type { StateName } from './state.ts';

type WithPayment = { readonly payment: PaymentView };
type WithPaid = {
  readonly payment: PaymentView;
  /** True the first time that this browser reports the payment as paid. Later loads and other tabs emit the event again. */
  readonly isFirst: boolean;
};

/** The events of a checkout and their details. No detail contains a secret. `preventDefault()` prevents an event's default action. */
export type CheckoutEventDetails = {
  readonly ready: WithPayment;
  readonly statusChange: { readonly state: StateName; readonly payment: PaymentView | undefined };
  readonly copied: { readonly field: string };
  readonly sent: WithPayment;
  readonly succeeded: WithPaid;
  readonly partlyPaid: WithPayment;
  readonly expired: WithPayment;
  readonly receivedLate: WithPaid;
  readonly failed: WithPayment;
  readonly reversed: WithPayment;
  readonly error: { readonly error: CheckoutError };
  readonly close: { readonly state: StateName };
};

export type CheckoutEventName = keyof CheckoutEventDetails;

/** Emits an event to the page; returns false when the page prevents the default action. */
export type Emit = <Name extends CheckoutEventName>(
  name: Name,
  detail: CheckoutEventDetails[Name],
) => boolean;
