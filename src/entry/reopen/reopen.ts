import type { CheckoutError } from '../../contract/index.ts';
import type { CheckoutOptions } from '../../options/options.ts';
import { pageDocument } from '../../widget/dom/page.ts';
import { openPayment } from '../../widget/dom/site-storage.ts';
import { readButton, readElement } from '../options/attributes.ts';

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
    const buttons = pageDocument.querySelectorAll<HTMLElement>(
      '[data-transfer-checkout]:not([data-reopen=false])',
    );
    for (const button of buttons) {
      if (await wasOpenHere(readButton(button))) return button.click();
    }
    const elements = pageDocument.querySelectorAll<HTMLElement & { open: () => Promise<void> }>(
      'transfer-checkout[modal]:not([reopen=false])',
    );
    for (const element of elements) if (await wasOpenHere(readElement(element))) return await element.open();
  } catch {
    // A file does not load: pressing the button reports it.
  }
}
