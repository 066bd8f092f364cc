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
    declare values: Record<string, unknown>;
    declare handle: Promise<CheckoutHandle | undefined> | undefined;
    declare isStale: boolean;

    static get observedAttributes(): string[] {
      return ['base-url', 'merchant-name', 'return-url', 'theme', 'body'];
    }

    constructor() {
      super();
      // Properties that were set before the element was defined would hide the accessors.
      this.values = {};
      for (const name of names) {
        this.values[name] = Reflect.get(this, name);
        Reflect.deleteProperty(this, name);
      }
    }

    connectedCallback(): void {
      this.update(!this.handle);
    }

    disconnectedCallback(): void {
      this.update(false);
    }

    attributeChangedCallback(): void {
      this.update(true);
    }

    update(isStale: boolean): void {
      this.isStale ||= isStale;
      // Frameworks set attributes, properties and place one after the other: only where that ends counts.
      queueMicrotask(() => {
        if (!this.isConnected) {
          this.handle?.then((handle) => handle?.unmount());
          this.handle = undefined;
        } else if (this.isStale) {
          this.handle = startCheckout(mount, this, this.values);
          this.isStale = false;
        }
      });
    }
  }

  for (const name of names) {
    Object.defineProperty(TransferCheckoutElement.prototype, name, {
      get(this: TransferCheckoutElement) {
        return this.values?.[name];
      },
      set(this: TransferCheckoutElement, value: unknown) {
        this.values[name] = value;
        this.update(true);
      },
    });
  }
  customElements.define('transfer-checkout', TransferCheckoutElement);
}

async function startCheckout(
  mount: Mount,
  element: HTMLElement,
  properties: Properties,
): Promise<CheckoutHandle | undefined> {
  const read = (name: string): string | undefined => element.getAttribute(name) ?? undefined;
  const tell = (type: string, detail: object): boolean =>
    element.dispatchEvent(new CustomEvent(type, { detail, cancelable: true, bubbles: true, composed: true }));
  let told: unknown;
  const onError = (error: unknown): void => {
    told = error;
    // biome-ignore lint/suspicious/noConsole: nobody has taken the error, and the developer needs to see it
    if (tell('error', { error })) console.error(error);
  };
  try {
    return await mount(element, {
      ...properties,
      body: properties.body ?? parseBody(read('body')),
      baseUrl: read('base-url'),
      merchantName: read('merchant-name'),
      returnUrl: read('return-url'),
      // Checked by the mount, like the rest.
      appearance: { theme: read('theme') as 'auto' | undefined },
      onStateChange: (state, view) => tell('statechange', { state, view }),
      onSucceeded: (view) => tell('succeeded', { view }),
      onError,
    });
  } catch (error) {
    if (error !== told) {
      showLine(element, 'loadFailed', properties.text);
      onError(error);
    }
    return undefined;
  }
}

/** What is no JSON becomes what JSON cannot hold, and is refused with the other options. */
function parseBody(json: string | undefined): unknown {
  try {
    return json && JSON.parse(json);
  } catch {
    return Symbol('not JSON');
  }
}
