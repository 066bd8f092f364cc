import { ownCopy } from '../../contract/own-fields.ts';
import { type OptionName, optionNames } from '../../options/options.ts';
import type { MountFunctions } from '../create-widget.ts';
import { attributeName, attributeOptions } from '../options/attributes.ts';
import { createElementCheckout, type ElementCheckout } from './element-checkout.ts';
import type { CheckoutEventTarget, ElementProperties } from './element-types.ts';

/** A server can import this file, and has no elements. The properties are defined with the element. */
const Base = (globalThis.HTMLElement ?? Object) as new () => CheckoutEventTarget &
  ElementProperties &
  HTMLElement;

/** What an element keeps to itself. Private fields would be compiled to a kilobyte of helpers. */
type Internals = { readonly values: Record<string, unknown>; readonly checkout: ElementCheckout };
const internals = new WeakMap<TransferCheckoutElement, Internals>();
const internalsOf = (element: TransferCheckoutElement): Internals => internals.get(element) as Internals;

let mounts: MountFunctions;

/**
 * A `<transfer-checkout>` on a page. Imports no part of the widget, so that the script tag can define the element before the widget is
 * loaded. The element has:
 *
 * - attributes for the options of `attributeOptions`, such as `base-url`; `body` and `ussd` as JSON
 * - properties for all options, such as `session`; a property overrides its attribute, and is read like it where a framework sets
 *   JSON as text. Changes in one task are applied together, by `update`
 * - methods `open`, `close`, `refresh`. With the attribute `modal` it shows nothing until `open` opens it above the page
 * - the events of every checkout, also while it is open above the page. An `error` event that nobody cancels
 *   (`preventDefault()`) is logged to the console.
 *
 * It changes none of its own attributes: a framework compares them with those that it has rendered on the server.
 */
export class TransferCheckoutElement extends Base {
  static get observedAttributes(): string[] {
    return attributeOptions.map(attributeName);
  }

  constructor() {
    super();
    const values = ownCopy({}) as Record<string, unknown>;
    // Properties set before the element was defined would shadow the accessors.
    for (const name of optionNames) {
      values[name] = Reflect.get(this, name);
      Reflect.deleteProperty(this, name);
    }
    internals.set(this, { values, checkout: createElementCheckout(this, mounts) });
  }

  connectedCallback(): void {
    internalsOf(this).checkout.changed(false);
  }

  disconnectedCallback(): void {
    internalsOf(this).checkout.changed(false);
  }

  attributeChangedCallback(_name: string, before: string | null, after: string | null): void {
    internalsOf(this).checkout.changed(before !== after);
  }

  /** Opens the checkout above the page. */
  open(): Promise<void> {
    return internalsOf(this).checkout.open();
  }

  /** Hides the checkout and keeps watching the account; see `TransferCheckout`. */
  close(): Promise<void> {
    return internalsOf(this).checkout.close();
  }

  /** Checks the payment at once. */
  refresh(): Promise<void> {
    return internalsOf(this).checkout.refresh();
  }
}

/** Defines `<transfer-checkout>`, whose checkouts these functions create, unless it is defined already. */
export function defineCheckoutElement(functions: MountFunctions): void {
  if (customElements.get('transfer-checkout')) return;
  mounts = functions;
  for (const name of optionNames) defineProperty(name);
  customElements.define('transfer-checkout', TransferCheckoutElement);
}

/** Defines an option as a property of the element. */
function defineProperty(name: OptionName): void {
  const property: PropertyDescriptor & ThisType<TransferCheckoutElement> = {
    configurable: true,
    enumerable: true,
    get() {
      // The prototype itself has none.
      return internals.get(this)?.values[name];
    },
    set(value: unknown) {
      const { values, checkout } = internalsOf(this);
      const isNew = value !== values[name];
      values[name] = value;
      checkout.changed(isNew);
    },
  };
  // A descriptor that inherits `value` would be refused.
  Object.defineProperty(TransferCheckoutElement.prototype, name, ownCopy(property));
}
