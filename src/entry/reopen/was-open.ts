import { orderStorage } from '../../core/session/order-storage.ts';
import type { CheckoutOptions } from '../../options/options.ts';
import { resolveOrder } from '../../options/order-options.ts';
import { type ValidOptions, validateOptions } from '../../options/validate-options.ts';
import { siteStorage as environment, openPayment, openPaymentOf } from '../../widget/dom/site-storage.ts';

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

/** The same with validated options. */
export function wasOrderOpen(options: ValidOptions): boolean {
  const open = openPayment.read();
  return orderStorage({ ...resolveOrder(options), environment })
    .listOrder()
    .some(({ reference }) => openPaymentOf(reference) === open);
}
