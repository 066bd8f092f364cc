import { type CheckoutOptions, type OptionName, optionNames } from '../options/options.ts';
import { pageDocument } from '../widget/dom/page.ts';
import { attributeName, attributeOptions, hasFlag, readElement } from './attributes.ts';
import type { MountFunctions, TransferCheckout } from './create-widget.ts';
import type { CheckoutEventTarget, ElementProperties } from './element-types.ts';
import { refuseOldBrowser, showFailureDialog, showPlaceholder } from './placeholder.ts';

/** A server can import this file, and has no elements. The properties are defined with the element. */
const Base = (globalThis.HTMLElement ?? Object) as new () => CheckoutEventTarget &
  ElementProperties &
  HTMLElement;

/** What an element keeps to itself. Private fields would be compiled to a kilobyte of helpers. */
type Internals = ReturnType<typeof createElementCheckout>;
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
    const values: Record<string, unknown> = {};
    // Properties set before the element was defined would shadow the accessors.
    for (const name of optionNames) {
      values[name] = Reflect.get(this, name);
      Reflect.deleteProperty(this, name);
    }
    internals.set(this, createElementCheckout(this, values));
  }

  connectedCallback(): void {
    internalsOf(this).changed(false);
  }

  disconnectedCallback(): void {
    internalsOf(this).changed(false);
  }

  attributeChangedCallback(_name: string, before: string | null, after: string | null): void {
    internalsOf(this).changed(before !== after);
  }

  /** Opens the checkout above the page. */
  open(): Promise<void> {
    return internalsOf(this).open();
  }

  /** Hides the checkout and keeps watching the account; see `TransferCheckout`. */
  close(): Promise<void> {
    return internalsOf(this).close();
  }

  refresh(): Promise<void> {
    return internalsOf(this).refresh();
  }
}

export function defineCheckoutElement(functions: MountFunctions): void {
  if (customElements.get('transfer-checkout')) return;
  mounts = functions;
  for (const name of optionNames) defineProperty(name);
  customElements.define('transfer-checkout', TransferCheckoutElement);
}

function defineProperty(name: OptionName): void {
  const property: PropertyDescriptor & ThisType<TransferCheckoutElement> = {
    configurable: true,
    enumerable: true,
    get() {
      // The prototype itself has none.
      return internals.get(this)?.values[name];
    },
    set(value: unknown) {
      const { values, changed } = internalsOf(this);
      const isNew = value !== values[name];
      values[name] = value;
      changed(isNew);
    },
  };
  Object.defineProperty(TransferCheckoutElement.prototype, name, property);
}

function createElementCheckout(element: HTMLElement, values: Record<string, unknown>) {
  /** Undefined until the first mount; the promise resolves with undefined when that fails. */
  let mounted: Promise<TransferCheckout | undefined> | undefined;
  let isStale = true;
  const isModal = (): boolean => hasFlag(element, 'modal');

  const update = (): void => {
    if (!element.isConnected) {
      mounted?.then((checkout) => checkout?.unmount());
      mounted = undefined;
      isStale = true;
    } else if (isRenderedLater(element)) {
      void untilRendered(element).then(update);
    } else if (isStale && (mounted || !isModal())) apply();
  };

  const apply = (): Promise<TransferCheckout | undefined> => {
    isStale = false;
    mounted = applyTo(mounted);
    return mounted;
  };

  const applyTo = async (before: typeof mounted): Promise<TransferCheckout | undefined> => {
    const checkout = await before;
    const options = readElement(element);
    try {
      if (!checkout) return await create(options);
      checkout.update(options);
    } catch (error) {
      if (!checkout && isModal()) showFailureDialog(element, options, { error, retry: open });
      else if (!checkout) showPlaceholder(element, options, { error, retry: apply });
      report(element, error);
    }
    return checkout;
  };

  const create = (options: CheckoutOptions) =>
    isModal() ? mounts.createTransferCheckout(options) : mounts.mountCheckout(element, options);

  const open = async (): Promise<void> => {
    if (isModal()) refuseOldBrowser(element, readElement(element));
    else await untilRendered(element);
    await (await apply())?.open(element);
  };

  return {
    values,
    changed(areOptionsNew: boolean): void {
      isStale ||= areOptionsNew;
      // Frameworks set attributes and properties and insert the element one after the other.
      queueMicrotask(update);
    },
    open,
    close: async (): Promise<void> => (await mounted)?.close(),
    refresh: async (): Promise<void> => (await mounted)?.refresh(),
  };
}

/** Returns whether the parser has not reached the element's server-rendered content yet. A checkout would end up above it. */
const isRenderedLater = (element: Element): boolean =>
  element.hasAttribute('data-server-rendered') &&
  pageDocument.readyState === 'loading' &&
  !element.shadowRoot?.querySelector('[data-rendered]');

async function untilRendered(element: Element): Promise<void> {
  while (isRenderedLater(element))
    await new Promise((resolve) =>
      pageDocument.addEventListener('readystatechange', resolve, { once: true }),
    );
}

/** Dispatches an error as an event, which does not bubble. An error that no listener cancels is logged. */
function report(element: Element, error: unknown): void {
  const event = new CustomEvent('error', { detail: { error }, cancelable: true });
  // biome-ignore lint/suspicious/noConsole: no listener has handled the error, and the developer needs to see it
  if (element.dispatchEvent(event)) console.error(error);
}
