import { ownCopy } from '../contract/own-fields.ts';
import { type Appearance, type CheckoutOptions, type OptionName, optionNames } from '../options/options.ts';
import type { TransferCheckout } from './create-widget.ts';
import { openWithLoadingDialog, type ShowFailure } from './loading-dialog.ts';
import { attributeName, attributeOptions, parseProperty, readAttributes } from './options/attributes.ts';
import { showPlaceholder } from './placeholder.ts';

/** Mounts a checkout, at once or when the widget is loaded. */
export type MountFunction = (
  element: Element,
  options: CheckoutOptions,
) => TransferCheckout | Promise<TransferCheckout>;

/** The functions that create a checkout in an element, or one to be opened. */
export type MountFunctions = {
  readonly mountCheckout: MountFunction;
  readonly createTransferCheckout: (options: CheckoutOptions) => TransferCheckout | Promise<TransferCheckout>;
};

type Properties = Pick<CheckoutOptions, OptionName>;

/** A `<transfer-checkout>` on a page. A property overrides its attribute. */
export type TransferCheckoutElement = HTMLElement & {
  -readonly [Name in keyof Properties]: Properties[Name];
} & {
  /** Opens the checkout above the page. */
  readonly open: () => Promise<void>;
  /** Hides the checkout and keeps watching the account; see `TransferCheckout`. */
  readonly close: () => Promise<void>;
  /** Checks the payment at once. */
  readonly refresh: () => Promise<void>;
};

/** The attributes that JSX accepts. Names with a hyphen, such as `base-url`, are always accepted. */
export type TransferCheckoutAttributes = Properties &
  Pick<Appearance, 'theme' | 'density'> & {
    readonly modal?: boolean | undefined;
    readonly reopen?: 'false' | undefined;
  };

/**
 * Defines `<transfer-checkout>`, unless it is defined already. Imports no part of the widget, so that the script tag can define
 * the element before the widget is loaded. The element has:
 *
 * - attributes for the options of `attributeOptions`, such as `base-url`; `body` and `ussd` as JSON
 * - properties for all options, such as `session`; a property overrides its attribute, and is read like it where a framework sets
 *   JSON as text. Changes in one task are applied together, by `update`
 * - methods `open`, `close`, `refresh`. With the attribute `modal` it shows nothing until `open` opens it above the page
 * - the events of every checkout, also while it is open above the page. An `error` event that nobody cancels
 *   (`preventDefault()`) is logged to the console.
 */
export function defineCheckoutElement(mounts: MountFunctions): void {
  if (customElements.get('transfer-checkout')) return;

  class TransferCheckoutElement extends HTMLElement {
    // Not initialised here: a compiled class field needs a helper that would be shared with the widget's file.
    declare values: Record<string, unknown>;
    declare checkout: Promise<TransferCheckout | undefined> | undefined;
    declare isStale: boolean;

    static get observedAttributes(): string[] {
      return attributeOptions.map(attributeName);
    }

    constructor() {
      super();
      // Properties set before the element was defined would shadow the accessors.
      this.values = ownCopy({});
      for (const name of optionNames) {
        this.values[name] = Reflect.get(this, name);
        Reflect.deleteProperty(this, name);
      }
    }

    connectedCallback(): void {
      this.change(!this.checkout);
    }

    disconnectedCallback(): void {
      this.change(false);
    }

    attributeChangedCallback(_name: string, before: string | null, after: string | null): void {
      this.change(before !== after);
    }

    change(isStale: boolean): void {
      this.isStale ||= isStale;
      // Frameworks set attributes and properties and insert the element one after the other.
      queueMicrotask(() => {
        if (!this.isConnected) {
          this.checkout?.then((checkout) => checkout?.unmount());
          this.checkout = undefined;
        } else if (this.isStale && (this.checkout || !this.isModal)) this.apply();
      });
    }

    get isModal(): boolean {
      return this.hasAttribute('modal');
    }

    read(): CheckoutOptions {
      return readOptions(this, this.values);
    }

    apply(showFailure?: ShowFailure): Promise<TransferCheckout | undefined> {
      this.isStale = false;
      this.checkout = applyOptions(mounts, this, this.checkout, showFailure);
      return this.checkout;
    }

    async open(): Promise<void> {
      if (this.isModal) await openModal(this);
      else await (await this.apply())?.open(this);
    }

    async close(): Promise<void> {
      (await this.checkout)?.close();
    }

    async refresh(): Promise<void> {
      (await this.checkout)?.refresh();
    }
  }

  for (const name of optionNames) defineProperty(TransferCheckoutElement.prototype, name);
  customElements.define('transfer-checkout', TransferCheckoutElement);
}

type Values = { readonly values?: Record<string, unknown>; readonly change: (isStale: boolean) => void };

/** Defines an option as a property of the element. */
function defineProperty(prototype: Values, name: string): void {
  Object.defineProperty(prototype, name, {
    get(this: Values) {
      return this.values?.[name];
    },
    set(this: Required<Values>, value: unknown) {
      const isNew = value !== this.values[name];
      this.values[name] = value;
      this.change(isNew);
    },
  });
}

type CheckoutHost = HTMLElement & {
  readonly isModal: boolean;
  readonly read: () => CheckoutOptions;
  readonly apply: (showFailure?: ShowFailure) => Promise<TransferCheckout | undefined>;
};

const openModal = (target: CheckoutHost): Promise<void> =>
  openWithLoadingDialog({
    target,
    options: target.read(),
    create: (showFailure) => target.apply(showFailure),
    retry: () => void openModal(target),
  });

/** Creates the checkout with the element's options, or updates the existing one. Errors become events. */
async function applyOptions(
  mounts: MountFunctions,
  element: CheckoutHost,
  mounting: Promise<TransferCheckout | undefined> | undefined,
  showFailure: ShowFailure | undefined,
): Promise<TransferCheckout | undefined> {
  const checkout = await mounting;
  while (!checkout && isRenderedLater(element)) await new Promise((resolve) => setTimeout(resolve, 20));
  const options = element.read();
  try {
    if (!checkout) {
      return element.isModal
        ? await mounts.createTransferCheckout(options)
        : await mounts.mountCheckout(element, options);
    }
    checkout.update(options);
  } catch (error) {
    if (!checkout) showFailure?.(error);
    if (!checkout && !element.isModal)
      showPlaceholder(element, options, { error, retry: () => element.apply() });
    const event = new CustomEvent('error', { detail: { error }, cancelable: true });
    // biome-ignore lint/suspicious/noConsole: no listener has handled the error, and the developer needs to see it
    if (element.dispatchEvent(event)) console.error(error);
  }
  return checkout;
}

/**
 * Returns whether the parser has not reached the element's server-rendered content yet, for example while it waits for the style
 * sheet. A checkout shown before that would end up above the content.
 */
function isRenderedLater({ dataset, shadowRoot }: HTMLElement): boolean {
  return (
    !!dataset.state && document.readyState === 'loading' && !shadowRoot?.querySelector('[data-rendered]')
  );
}

function readOptions(element: HTMLElement, values: Properties): CheckoutOptions {
  // Frameworks reset a property to null.
  const set = Object.entries(values)
    .filter(([, value]) => (value ?? undefined) !== undefined)
    .map(([name, value]) => [name, parseProperty(name as OptionName, value)]);
  return {
    ...readAttributes((name) => element.getAttribute(attributeName(name)) ?? undefined),
    ...Object.fromEntries(set),
  };
}
