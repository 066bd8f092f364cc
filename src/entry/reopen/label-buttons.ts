import { listStored } from '../../core/session/payment-storage.ts';
import type { CheckoutOptions } from '../../options/options.ts';
import { resolveOrder } from '../../options/order-options.ts';
import { validateOptions } from '../../options/validate-options.ts';
import { pageDocument } from '../../widget/dom/page.ts';
import { siteStorage } from '../../widget/dom/site-storage.ts';
import { readButton } from '../options/attributes.ts';

export type LabelFunction = (
  button: HTMLElement,
  options: CheckoutOptions,
  pressed: AbortSignal,
) => Promise<void>;

/**
 * Labels the page's buttons whose order has a payment that this browser has stored. Loads nothing where it has stored no payment of their
 * server.
 *
 * @param label loads the widget first, and stops when the button is pressed
 */
export function labelButtons(label: LabelFunction): void {
  for (const button of pageDocument.querySelectorAll<HTMLElement>('[data-transfer-checkout]')) {
    // Opened by the page in between.
    if (button.ariaBusy) continue;
    const options = readButton(button);
    if (!hasStored(options)) continue;
    const pressed = new AbortController();
    button.addEventListener('click', () => pressed.abort(), { capture: true, once: true });
    // On failure the button keeps its own label: pressing it reports the error.
    label(button, options, pressed.signal).catch(() => {});
  }
}

function hasStored(options: CheckoutOptions): boolean {
  try {
    const { baseUrl } = resolveOrder(validateOptions(options));
    return listStored(siteStorage, baseUrl).length > 0;
  } catch {
    return false;
  }
}
