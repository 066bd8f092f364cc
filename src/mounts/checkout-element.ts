import type { TransferCheckout } from './inline.ts';
import { showLine } from './line.ts';
import type { CheckoutOptions } from './options.ts';

/** Mounts a checkout, at once or as soon as the widget is loaded. */
export type Mount = (
  element: Element,
  options: CheckoutOptions,
) => TransferCheckout | Promise<TransferCheckout>;

type Properties = Pick<CheckoutOptions, 'body' | 'session' | 'text' | 'languages'>;
const properties = ['body', 'session', 'text', 'languages'] as const;
const methods = ['open', 'close', 'refresh'] as const;

/** What of the options is text. */
const attributes = ['base-url', 'merchant-name', 'return-url', 'support-url', 'support-email', 'locale'];

/** `baseUrl` of `base-url`. */
const optionOf = (attribute: string): string =>
  attribute.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());

/**
 * Defines `<transfer-checkout>`, unless it is defined already. Imports no part of the widget, so that the script tag
 * can have the element before the widget is loaded.
 *
 * - attributes `base-url`, `merchant-name`, `return-url`, `return-after-seconds`, `support-url`, `support-email`, `locale`,
 *   `theme`, and `body` (as JSON)
 * - properties `body`, `session`, `text`, `languages`; what changes in one task takes effect together, as `update` does
 * - methods `open`, `close`, `refresh`
 * - the events of every checkout. An error that nobody cancels (`preventDefault()`) is written to the console.
 */
export function defineCheckoutElement(mount: Mount): void {
  if (customElements.get('transfer-checkout')) return;

  class TransferCheckoutElement extends HTMLElement {
    // Set in the constructor: a lowered class field would need a helper shared with the widget's file.
    declare values: Record<string, unknown>;
    declare checkout: Promise<TransferCheckout | undefined> | undefined;
    declare isStale: boolean;

    static get observedAttributes(): string[] {
      return [...attributes, 'theme', 'body', 'return-after-seconds'];
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
        } else if (this.isStale) {
          this.isStale = false;
          this.checkout = applyOptions(mount, this, this.values, this.checkout);
        }
      });
    }
  }

  for (const name of properties) {
    Object.defineProperty(TransferCheckoutElement.prototype, name, {
      get(this: TransferCheckoutElement) {
        return this.values?.[name];
      },
      set(this: TransferCheckoutElement, value: unknown) {
        const isNew = value !== this.values[name];
        this.values[name] = value;
        this.change(isNew);
      },
    });
  }
  for (const name of methods) {
    Object.defineProperty(TransferCheckoutElement.prototype, name, {
      value(this: TransferCheckoutElement) {
        return this.checkout?.then((checkout) => checkout?.[name]());
      },
    });
  }
  customElements.define('transfer-checkout', TransferCheckoutElement);
}

/** Mounts with what the element says, or brings the checkout that is there up to it. Errors become events. */
async function applyOptions(
  mount: Mount,
  element: HTMLElement,
  values: Properties,
  mounting: Promise<TransferCheckout | undefined> | undefined,
): Promise<TransferCheckout | undefined> {
  const checkout = await mounting;
  try {
    const options = readOptions(element, values);
    if (!checkout) return await mount(element, options);
    checkout.update(options);
  } catch (error) {
    if (!checkout) showLine(element, 'loadFailed', values.text);
    const event = new CustomEvent('error', { detail: { error }, cancelable: true });
    // biome-ignore lint/suspicious/noConsole: nobody has taken the error, and the developer needs to see it
    if (element.dispatchEvent(event)) console.error(error);
  }
  return checkout;
}

function readOptions(element: HTMLElement, values: Properties): CheckoutOptions {
  const read = (name: string): string | undefined => element.getAttribute(name) ?? undefined;
  const seconds = read('return-after-seconds');
  return {
    ...Object.fromEntries(attributes.map((name) => [optionOf(name), read(name)])),
    ...values,
    body: values.body ?? parseBody(read('body')),
    returnAfterSeconds: seconds === undefined ? undefined : +seconds,
    // Checked by the mount, like the rest.
    appearance: { theme: read('theme') as 'auto' | undefined },
  };
}

/** What is no JSON becomes what JSON cannot hold, and is refused with the other options. */
function parseBody(json: string | undefined): unknown {
  try {
    return json && JSON.parse(json);
  } catch {
    return Symbol('not JSON');
  }
}
