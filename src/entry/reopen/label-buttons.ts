import { listStored } from '../../core/session/payment-storage.ts';
import type { CheckoutOptions } from '../../options/options.ts';
import { validateOptions } from '../../options/validate-options.ts';
import { readStored } from '../../widget/dom/site-storage.ts';
import { readButton } from '../options/attributes.ts';
import { sessionRequestOf } from '../options/session-request.ts';

/**
 * Labels the page's buttons whose order has a payment that this browser has stored. Loads nothing where nothing is stored.
 *
 * @param label loads the widget first
 */
export function labelButtons(label: (button: HTMLElement, options: CheckoutOptions) => Promise<void>): void {
  for (const button of document.querySelectorAll<HTMLElement>('[data-transfer-checkout]')) {
    // Opened by the page in between.
    if (button.ariaBusy) continue;
    const options = readButton(button);
    // On failure the button keeps its own label: pressing it reports the error.
    if (hasStored(options)) label(button, options).catch(() => {});
  }
}

function hasStored(options: CheckoutOptions): boolean {
  try {
    const { baseUrl } = sessionRequestOf(validateOptions(options));
    return listStored({ readStored, date: Date.now }, baseUrl).length > 0;
  } catch {
    return false;
  }
}
