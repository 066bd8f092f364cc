import type { TransferCheckout } from './checkout.ts';
import type { Mounts } from './custom-element.ts';
import { openAbove } from './loading-dialog.ts';
import { readWritten } from './options/attributes.ts';
import type { CheckoutOptions } from './options/options.ts';

/**
 * Lets a button open a checkout without a line of script:
 *
 * - `<button data-transfer-checkout data-base-url="/checkout">` opens it above the page, and the same one when pressed again
 * - `<button data-transfer-checkout="#pay">` shows it in the element that the value names, and goes away for it
 *
 * All written options stand beside it, such as `data-merchant-name`. Buttons may be added to the page at any time. The
 * events are told by the button, or by the element.
 */
export function openFromButtons(mounts: Mounts): void {
  const above = new WeakMap<HTMLElement, Promise<TransferCheckout>>();

  const open = (button: HTMLElement): Promise<void> => {
    const options = readFrom(button);
    const make = async (): Promise<TransferCheckout> => {
      const before = await above.get(button)?.catch(() => undefined);
      // What is written may have changed.
      before?.update(options);
      const making = Promise.resolve(before ?? mounts.createTransferCheckout(options));
      above.set(button, making);
      return making;
    };
    return openAbove({ teller: button, options, make, retry: () => press(button) });
  };

  const show = async (button: HTMLElement, selector: string): Promise<void> => {
    const element = document.querySelector<HTMLElement>(selector);
    button.hidden = !!element;
    // Without an element the mount says what is wrong; in one it says so itself, and offers to try again.
    const mounting = mounts.mountCheckout(element as HTMLElement, readFrom(button));
    // The button that had the focus is gone; a keyboard or a screen reader goes on from the checkout.
    element?.setAttribute('tabindex', '-1');
    element?.focus();
    await mounting;
  };

  const press = (button: HTMLElement): void => {
    const selector = button.dataset.transferCheckout;
    button.ariaBusy = 'true';
    (selector ? show(button, selector) : open(button))
      // biome-ignore lint/suspicious/noConsole: there is nobody else to tell, and the developer needs to see it
      .catch((error: unknown) => console.error(error))
      .then(() => {
        button.ariaBusy = null;
      });
  };

  document.addEventListener('click', (event) => {
    const button = (event.target as Element).closest<HTMLElement>('[data-transfer-checkout]');
    if (!button || button.ariaBusy) return;
    event.preventDefault();
    press(button);
  });
}

const readFrom = ({ dataset }: HTMLElement): CheckoutOptions => readWritten((name) => dataset[name]);
