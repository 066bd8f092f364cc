import { orderStorage } from '../core/storage.ts';
import { type CheckoutOptions, resolveOrder, validateOptions } from '../options/options.ts';
import { pageDocument } from '../widget/dom/page.ts';
import { siteStorage as environment, openPayment, openPaymentOf } from '../widget/dom/site-storage.ts';
import { hasFlag, isSetOff, readButton, readElement } from './attributes.ts';
import type { TransferCheckoutElement } from './element.ts';

/**
 * Returns whether this page showed this order's checkout when the browser ended or reloaded the page, for example behind the
 * bank's app, and the payment is still stored: the page may then show or open it again. Returns false after the shopper has
 * closed the checkout, after the payment has ended, and where the browser blocks storage.
 *
 * @throws {CheckoutError} `invalid_options`
 */
export async function wasOpen(options?: CheckoutOptions): Promise<boolean> {
  const order = resolveOrder(validateOptions(options));
  const open = openPayment.read();
  return orderStorage({ ...order, environment })
    .listOrder()
    .some(({ reference }) => openPaymentOf(reference) === open);
}

/** Reopens the checkout that was open when the browser ended the page, by the page's button or modal element for the order. */
export async function reopen(): Promise<void> {
  // Pressing a button with an invalid option reports it; the others can still reopen.
  const wasOpenHere = (options: CheckoutOptions): Promise<boolean> => wasOpen(options).catch(() => false);
  if (pageDocument.readyState === 'loading') {
    await new Promise((resolve) => pageDocument.addEventListener('DOMContentLoaded', resolve));
  }
  if (!openPayment.read()) return;
  for (const button of pageDocument.querySelectorAll<HTMLElement>('[data-transfer-checkout]')) {
    if (!isSetOff(button, 'data-reopen') && (await wasOpenHere(readButton(button)))) return button.click();
  }
  for (const element of pageDocument.querySelectorAll<TransferCheckoutElement>('transfer-checkout')) {
    const isModal = hasFlag(element, 'modal') && !isSetOff(element, 'reopen');
    // The element reports a failure itself.
    if (isModal && (await wasOpenHere(readElement(element)))) return element.open().catch(() => {});
  }
}
