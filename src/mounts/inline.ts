import { CheckoutError } from '../contract/index.ts';
import { createCheckoutModel } from '../model/index.ts';
import { showCheckout } from '../views/show-checkout.ts';
import { createBrowserEnvironment } from './browser-environment.ts';
import { type CheckoutOptions, checkOptions } from './options.ts';

/** A checkout on a page. */
export type CheckoutHandle = {
  /** Takes the checkout away. No timer, listener or request is left behind. */
  readonly unmount: () => void;
  /** Looks at the payment at once. */
  readonly refresh: () => void;
};

const mounted = new WeakMap<Element, CheckoutHandle>();

/**
 * Shows a checkout inside an element, in an open shadow root. A checkout that is there already is replaced.
 *
 * @throws {CheckoutError} `invalid_options` when the element or an option cannot be used; the message says what to do
 */
export function mountCheckout(element: Element, options?: CheckoutOptions): CheckoutHandle {
  const root = openShadowRoot(element);
  const checked = checkOptions(options);
  mounted.get(element)?.unmount();
  const model = createCheckoutModel({ ...checked, environment: createBrowserEnvironment() });
  const takeAway = showCheckout(model, root);
  const handle = {
    refresh: model.refresh,
    unmount() {
      if (mounted.get(element) !== handle) return;
      mounted.delete(element);
      model.stop();
      takeAway();
    },
  };
  mounted.set(element, handle);
  return handle;
}

function openShadowRoot(element: Element): ShadowRoot {
  try {
    return element.shadowRoot ?? element.attachShadow({ mode: 'open' });
  } catch (cause) {
    const message =
      'mountCheckout needs an element that can hold a checkout, such as a <div> that is on the page.';
    throw new CheckoutError('invalid_options', message, { cause });
  }
}
