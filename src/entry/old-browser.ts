import { CheckoutError } from '../contract/errors.ts';
import type { CheckoutOptions } from '../options/options.ts';
import { createPlaceholder } from './placeholder.ts';

/**
 * Returns whether this browser has what the checkout uses. The last is a style, which no script of the page can add, and which browsers
 * have had since about the oldest supported ones (docs/reference/versions.md).
 */
export const isBrowserSupported = (): boolean =>
  'at' in Array.prototype &&
  typeof HTMLDialogElement === 'function' &&
  'showModal' in HTMLDialogElement.prototype &&
  CSS.supports('selector(:focus-visible)') &&
  CSS.supports('color', 'light-dark(red, red)');

export const createOldBrowserError = (): CheckoutError =>
  new CheckoutError('browser_unsupported', 'This browser is too old for the checkout.');

/**
 * Says below a button, or an element that would open a dialog, that the browser is too old.
 *
 * @throws {CheckoutError} `browser_unsupported`
 */
export async function refuseOldBrowser(target: Element, options: CheckoutOptions): Promise<never> {
  const error = createOldBrowserError();
  const isShown = target.nextElementSibling?.hasAttribute('data-checkout-refused');
  if (!isShown) {
    const message = createPlaceholder(target, options, { error, retry() {} });
    message.setAttribute('data-checkout-refused', '');
    target.after(message);
  }
  throw error;
}
