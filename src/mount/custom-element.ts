import type { TransferCheckout } from './checkout.ts';
import { openAbove } from './loading-dialog.ts';
import { attributeOf } from './options/attribute-of.ts';
import { readWritten, writtenOptions } from './options/attributes.ts';
import type { CheckoutOptions, Theme } from './options/options.ts';
import { showLine } from './placeholder.ts';

/** Mounts a checkout, at once or as soon as the widget is loaded. */
export type Mount = (
  element: Element,
  options: CheckoutOptions,
) => TransferCheckout | Promise<TransferCheckout>;

/** What makes checkouts, in an element or to be opened. */
export type Mounts = {
  readonly mountCheckout: Mount;
  readonly createTransferCheckout: (options: CheckoutOptions) => TransferCheckout | Promise<TransferCheckout>;
};

const properties = [...writtenOptions, 'session', 'text', 'languages', 'appearance'] as const;
type Properties = Pick<CheckoutOptions, (typeof properties)[number]>;

/** A `<transfer-checkout>` on a page. Where both are set, a property counts, and not the attribute. */
export type TransferCheckoutElement = HTMLElement & {
  -readonly [Name in keyof Properties]: Properties[Name];
} & {
  /** Opens it above the page. */
  readonly open: () => Promise<void>;
  /** Takes it out of sight, and goes on watching; see `TransferCheckout`. */
  readonly close: () => Promise<void>;
  /** Looks at the payment at once. */
  readonly refresh: () => Promise<void>;
};

/** What JSX may write on it. A name with a hyphen, such as `base-url`, may always be written. */
export type TransferCheckoutAttributes = Properties & {
  readonly theme?: Theme | undefined;
  readonly density?: 'comfortable' | 'compact' | undefined;
  readonly modal?: boolean | undefined;
  readonly reopen?: 'false' | undefined;
};

/**
 * Defines `<transfer-checkout>`, unless it is defined already. Imports no part of the widget, so that the script tag
 * can have the element before the widget is loaded.
 *
 * - attributes for all options that can be written, such as `base-url`, and `theme` and `density`; `body` and `ussd` as JSON
 * - properties for all options, such as `session`; where both are set, the property counts. What changes in one task takes
 *   effect together, as `update` does
 * - methods `open`, `close`, `refresh`. With the attribute `modal` it shows nothing by itself, and `open` opens it above
 *   the page
 * - the events of every checkout, also while it is above the page. An error that nobody cancels (`preventDefault()`) is
 *   written to the console.
 */
export function defineCheckoutElement(mounts: Mounts): void {
  if (customElements.get('transfer-checkout')) return;

  class TransferCheckoutElement extends HTMLElement {
    // Set in the constructor: a lowered class field would need a helper shared with the widget's file.
    declare values: Record<string, unknown>;
    declare checkout: Promise<TransferCheckout | undefined> | undefined;
    declare isStale: boolean;

    static get observedAttributes(): string[] {
      return [...writtenOptions, 'theme', 'density'].map(attributeOf);
    }

    constructor() {
      super();
      // Properties that were set before the element was defined would hide the accessors.
      this.values = {};
      for (const name of properties) {
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
      // Frameworks set attributes, properties and place one after the other: only where that ends counts.
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

    apply(): Promise<TransferCheckout | undefined> {
      this.isStale = false;
      this.checkout = applyOptions(mounts, this, this.checkout);
      return this.checkout;
    }

    async open(): Promise<void> {
      const make = (): Promise<TransferCheckout | undefined> => this.apply();
      if (!this.isModal) return (await make())?.open(this);
      await openAbove({ teller: this, options: this.read(), make, retry: () => this.open() });
    }

    async close(): Promise<void> {
      (await this.checkout)?.close();
    }

    async refresh(): Promise<void> {
      (await this.checkout)?.refresh();
    }
  }

  for (const name of properties) defineProperty(TransferCheckoutElement.prototype, name);
  customElements.define('transfer-checkout', TransferCheckoutElement);
}

type Values = { readonly values?: Record<string, unknown>; readonly change: (isStale: boolean) => void };

/** A property of the element that is an option. */
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

/** Mounts with what the element says, or brings the checkout that is there up to it. Errors become events. */
async function applyOptions(
  mounts: Mounts,
  element: HTMLElement & { isModal: boolean; read: () => CheckoutOptions; apply: () => unknown },
  mounting: Promise<TransferCheckout | undefined> | undefined,
): Promise<TransferCheckout | undefined> {
  const checkout = await mounting;
  while (!checkout && isToBeFilled(element)) await new Promise((resolve) => setTimeout(resolve, 20));
  const options = element.read();
  try {
    if (!checkout) {
      return element.isModal
        ? await mounts.createTransferCheckout(options)
        : await mounts.mountCheckout(element, options);
    }
    checkout.update(options);
  } catch (error) {
    if (!checkout && !element.isModal) showLine(element, options, () => element.apply());
    const event = new CustomEvent('error', { detail: { error }, cancelable: true });
    // biome-ignore lint/suspicious/noConsole: nobody has taken the error, and the developer needs to see it
    if (element.dispatchEvent(event)) console.error(error);
  }
  return checkout;
}

/**
 * True while the page is being read and what a server has rendered in the element is still to come, such as after its style sheet. It
 * would come below what is shown before it.
 */
function isToBeFilled({ dataset, shadowRoot }: HTMLElement): boolean {
  return (
    !!dataset.state && document.readyState === 'loading' && !shadowRoot?.querySelector('[data-rendered]')
  );
}

function readOptions(element: HTMLElement, values: Properties): CheckoutOptions {
  const set = Object.entries(values).filter(([, value]) => value !== undefined);
  return {
    ...readWritten((name) => element.getAttribute(attributeOf(name)) ?? undefined),
    ...Object.fromEntries(set),
  };
}
