import type { CheckoutError } from '../contract/index.ts';
import { orderStorage } from '../core/storage.ts';
import {
  type CheckoutOptions,
  resolveOrder,
  type ValidOptions,
  validateOptions,
} from '../options/options.ts';
import { pageDocument } from '../widget/dom/page.ts';
import { siteStorage as environment, openPayment, openPaymentOf } from '../widget/dom/site-storage.ts';
import { canReopen, hasFlag, readButton, readElement } from './attributes.ts';

/**
 * Returns whether this page showed this order's checkout when the browser ended or reloaded the page, for example behind the
 * bank's app, and the payment is still stored: the page may then show or open it again. Returns false after the shopper has
 * closed the checkout, after the payment has ended, and where the browser blocks storage.
 *
 * @throws {CheckoutError} `invalid_options`
 */
export async function wasOpen(options?: CheckoutOptions): Promise<boolean> {
  return wasOrderOpen(validateOptions(options));
}

export function wasOrderOpen(options: ValidOptions): boolean {
  const open = openPayment.read();
  return orderStorage({ ...resolveOrder(options), environment })
    .listOrder()
    .some(({ reference }) => openPaymentOf(reference) === open);
}

type Openable = Element & { readonly open: () => Promise<void> };

/**
 * Reopens the checkout that was open when the browser ended the page, for example behind the bank's app: by the page's button
 * or modal element for the same order, unless it has `reopen="false"`. Loads nothing when no checkout was open.
 *
 * @param wasOpen the public function, or the script tag's, which loads the widget first
 */
export async function reopen(wasOpen: (options: CheckoutOptions) => Promise<boolean>): Promise<void> {
  const wasOpenHere = (options: CheckoutOptions): Promise<boolean> =>
    wasOpen(options).catch((error: CheckoutError) => {
      // Pressing this button reports it; the others can still reopen.
      if (error.code === 'invalid_options') return false;
      throw error;
    });
  try {
    if (pageDocument.readyState === 'loading') {
      await new Promise((resolve) => pageDocument.addEventListener('DOMContentLoaded', resolve));
    }
    if (!openPayment.read()) return;
    for (const button of pageDocument.querySelectorAll<HTMLElement>('[data-transfer-checkout]')) {
      if (canReopen(button, 'data-reopen') && (await wasOpenHere(readButton(button)))) return button.click();
    }
    for (const element of pageDocument.querySelectorAll('transfer-checkout')) {
      const isModal = hasFlag(element, 'modal') && canReopen(element, 'reopen');
      if (isModal && (await wasOpenHere(readElement(element)))) return await (element as Openable).open();
    }
  } catch {
    // A file does not load: pressing the button reports it.
  }
}
