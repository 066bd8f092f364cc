import type { CheckoutHandle } from './inline.ts';
import { showLine } from './line.ts';
import type { CheckoutOptions } from './options.ts';

/** Mounts a checkout, at once or as soon as the widget is loaded. */
export type Mount = (element: Element, options: CheckoutOptions) => CheckoutHandle | Promise<CheckoutHandle>;

type Properties = Pick<CheckoutOptions, 'body' | 'session' | 'text'>;
const names = ['body', 'session', 'text'] as const;

/**
 * Defines `<transfer-checkout>`, unless it is defined already. Imports no part of the widget, so that the script tag
 * can have the element before the widget is loaded.
 *
 * - attributes `base-url`, `merchant-name`, `return-url`, `theme`, and `body` (as JSON)
 * - properties `body`, `session`, `text`; what changes in one task takes effect together, as a new mount
 * - events `statechange` (`detail: { state, view }`), `succeeded` (`{ view }`), `error` (`{ error }`): they bubble, cross
 *   shadow roots, and carry no secret. An error that nobody cancels (`preventDefault()`) is written to the console.
 */
export function defineCheckoutElement(mount: Mount): void {
  if (customElements.get('transfer-checkout')) return;

  class TransferCheckoutElement extends HTMLElement {
    // Set in the constructor: a lowered class field would need a helper shared with the widget's file.
    declare values: Partial<Properties>;
    declare handle: Promise<CheckoutHandle | undefined> | undefined;
    declare isStale: boolean;

    static get observedAttributes(): string[] {
      return ['base-url', 'merchant-name', 'return-url', 'theme', 'body'];
    }

    constructor() {
      super();
      this.values = {};
      this.isStale = true;
    }

    connectedCallback(): void {
      // Properties that were set before the element was defined hide the accessors.
      for (const name of names) {
        if (Object.keys(this).includes(name)) {
          const early = Reflect.get(this, name);
          Reflect.deleteProperty(this, name);
          Reflect.set(this, name, early);
        }
      }
      this.schedule();
    }

    disconnectedCallback(): void {
      this.schedule();
    }

    attributeChangedCallback(): void {
      this.change();
    }

    change(): void {
      this.isStale = true;
      this.schedule();
    }

    schedule(): void {
      // Frameworks set attributes, properties and place one after the other: only where that ends counts.
      queueMicrotask(() => {
        if (this.isConnected && (this.isStale || !this.handle)) {
          this.isStale = false;
          this.handle = startCheckout(mount, this, this.values);
        } else if (!this.isConnected) {
          void this.handle?.then((handle) => handle?.unmount());
          this.handle = undefined;
        }
      });
    }
  }

  for (const name of names) {
    Object.defineProperty(TransferCheckoutElement.prototype, name, {
      configurable: true,
      get(this: TransferCheckoutElement) {
        return this.values[name];
      },
      set(this: TransferCheckoutElement, value: unknown) {
        Object.assign(this.values, { [name]: value });
        this.change();
      },
    });
  }
  customElements.define('transfer-checkout', TransferCheckoutElement);
}

async function startCheckout(
  mount: Mount,
  element: HTMLElement,
  properties: Partial<Properties>,
): Promise<CheckoutHandle | undefined> {
  const tell = (type: string, detail: object, cancelable = false): boolean =>
    element.dispatchEvent(new CustomEvent(type, { detail, cancelable, bubbles: true, composed: true }));
  const tellError = (error: unknown): void => {
    // biome-ignore lint/suspicious/noConsole: nobody has taken the error, and the developer needs to see it
    if (tell('error', { error }, true)) console.error(error);
  };
  const told = new Set<unknown>();
  try {
    return await mount(element, {
      ...readAttributes(element),
      ...properties,
      onStateChange: (state, view) => tell('statechange', { state, view }),
      onSucceeded: (view) => tell('succeeded', { view }),
      onError: (error) => {
        told.add(error);
        tellError(error);
      },
    });
  } catch (error) {
    if (!told.has(error)) {
      showLine(element, 'failed', properties.text);
      tellError(error);
    }
    return undefined;
  }
}

function readAttributes(element: HTMLElement): CheckoutOptions {
  const read = (name: string): string | undefined => element.getAttribute(name) ?? undefined;
  const body = read('body');
  return {
    baseUrl: read('base-url'),
    merchantName: read('merchant-name'),
    returnUrl: read('return-url'),
    // Checked by the mount, like the rest.
    appearance: { theme: read('theme') as 'auto' | undefined },
    body: body === undefined ? undefined : JSON.parse(body),
  };
}
