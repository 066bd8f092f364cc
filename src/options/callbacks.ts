import {
  type CheckoutEventDetails,
  type CheckoutEventName,
  checkoutEventNames,
} from '../core/machine/checkout-events.ts';

/** An event of the checkout: `detail` describes it, `preventDefault()` prevents its default action. */
export type CheckoutEvent<Name extends CheckoutEventName = CheckoutEventName> = CustomEvent<
  CheckoutEventDetails[Name]
>;

/** The events of a checkout by the name under which an element dispatches them. */
export type CheckoutEventMap = {
  readonly [Name in CheckoutEventName as Lowercase<Name>]: CheckoutEvent<Name>;
};

/** A callback for each event. An error that it throws is logged and changes nothing else. */
export type CheckoutCallbacks = {
  readonly [Name in CheckoutEventName as `on${Capitalize<Name>}`]?:
    | ((event: CheckoutEvent<Name>) => void)
    | undefined;
};

/** Returns the callback of an event: `onPartlyPaid` for `partlyPaid`. */
export const callbackName = <Name extends CheckoutEventName>(name: Name): `on${Capitalize<Name>}` =>
  `on${name[0]?.toUpperCase()}${name.slice(1)}` as `on${Capitalize<Name>}`;

export const callbackNames = checkoutEventNames.map(callbackName);
