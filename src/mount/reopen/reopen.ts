import type { TransferCheckoutElement } from '../custom-element.ts';
import type { readWritten } from '../options/attributes.ts';
import type { CheckoutOptions } from '../options/options.ts';
import { openNoteName } from './open-payment.ts';

/** What there is on a page before any part of the widget is. */
export type Page = {
  readonly wasOpen: (options: CheckoutOptions) => Promise<boolean>;
  readonly readWritten: typeof readWritten;
};

/**
 * Opens the checkout that was open when the browser ended the page, such as behind the bank's app: where the page has the same button
 * or modal element again, without `reopen="false"`. Who has opened nothing loads nothing; where it fails there is still the button.
 */
export async function reopen({ wasOpen, readWritten }: Page): Promise<void> {
  try {
    if (document.readyState === 'loading') {
      await new Promise((resolve) => document.addEventListener('DOMContentLoaded', resolve));
    }
    if (!sessionStorage.getItem(openNoteName)) return;
    const buttons = document.querySelectorAll<HTMLElement>(
      '[data-transfer-checkout]:not([data-reopen=false])',
    );
    for (const button of buttons) {
      if (await wasOpen(readWritten((name) => button.dataset[name]))) return button.click();
    }
    const elements = document.querySelectorAll<TransferCheckoutElement & { read: () => CheckoutOptions }>(
      'transfer-checkout[modal]:not([reopen=false])',
    );
    for (const element of elements) if (await wasOpen(element.read())) return await element.open();
  } catch {
    // Storage is blocked, an option is wrong, or a file does not come: who presses the button hears of it.
  }
}
