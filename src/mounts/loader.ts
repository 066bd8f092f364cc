import type { CheckoutError } from '../contract/index.ts';
import type { Mount } from './checkout-element.ts';
import type { CheckoutHandle } from './inline.ts';
import { showLine } from './line.ts';
import type { CheckoutOptions } from './options.ts';

/** What the widget's file exports. */
export type Widget = { readonly mountCheckout: Mount };

/** Fetches the widget's file; `attempt` is 0, then 1. */
export type ImportWidget = (attempt: number) => Promise<Widget>;

/**
 * Gives a `mountCheckout` that loads the widget when it is first called. A line of text stands in the element
 * meanwhile. A failed load is tried once more.
 *
 * Rejects with a `CheckoutError` of code `load_failed` when there is no getting the widget (`onError` hears of it too),
 * and with what the widget's own `mountCheckout` throws.
 */
export function createLoader(
  importWidget: ImportWidget,
): (element: Element, options?: CheckoutOptions) => Promise<CheckoutHandle> {
  let loaded: Promise<Widget> | undefined;
  return async (element, options = {}) => {
    showLine(element, 'loading', options.text);
    loaded ??= importWidget(0).catch(() => importWidget(1));
    let widget: Widget;
    try {
      widget = await loaded;
    } catch (cause) {
      // The next mount may try again.
      loaded = undefined;
      const error = toLoadError(cause);
      showLine(element, 'loadFailed', options.text);
      options.onError?.(error);
      throw error;
    }
    try {
      return widget.mountCheckout(element, options);
    } catch (error) {
      showLine(element, 'loadFailed', options.text);
      throw error;
    }
  };
}

/** Looks like a CheckoutError: the class itself is in the file that did not come. */
function toLoadError(cause: unknown): CheckoutError {
  const message = 'The checkout could not be loaded; its files must lie beside checkout.js.';
  return Object.assign(new Error(message), {
    name: 'CheckoutError' as const,
    code: 'load_failed' as const,
    retryAfterSeconds: undefined,
    cause,
  });
}
