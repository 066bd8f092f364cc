import { CheckoutError } from '../contract/errors.ts';
import { closestTarget, pageDocument } from '../widget/dom/page.ts';
import type { MountFunctions, TransferCheckout } from './create-widget.ts';
import { openWithLoadingDialog } from './loading-dialog.ts';
import { isBrowserSupported, refuseOldBrowser } from './old-browser.ts';
import { readButton } from './options/attributes.ts';

/**
 * Lets buttons open a checkout without any script of the page:
 *
 * - `<button data-transfer-checkout data-base-url="/checkout">` opens a checkout above the page, and the same one when pressed again
 * - `<button data-transfer-checkout="#pay">` shows it in the element that the selector names, and hides the button
 *
 * Every attribute option can be written on the button, such as `data-merchant-name`. Buttons may be added to the page at any
 * time. The button dispatches the events, or the element does.
 */
export function openFromButtons(mounts: MountFunctions): void {
  const checkouts = new WeakMap<HTMLElement, Promise<TransferCheckout>>();

  const open = (button: HTMLElement): Promise<void> => {
    const options = readButton(button);
    const create = async (): Promise<TransferCheckout> => {
      const existing = await checkouts.get(button)?.catch(() => undefined);
      // The attributes may have changed.
      existing?.update(options);
      const creating = Promise.resolve(existing ?? mounts.createTransferCheckout(options));
      checkouts.set(button, creating);
      return creating;
    };
    return openWithLoadingDialog({ target: button, options, create, retry: () => press(button) });
  };

  const mount = async (button: HTMLElement, selector: string): Promise<void> => {
    if (!isBrowserSupported()) return refuseOldBrowser(button, readButton(button));
    const element = findElement(selector);
    const isByKeyboard = button.matches(':focus-visible');
    button.hidden = true;
    // The element shows failures and the retry button itself.
    const mounting = mounts.mountCheckout(element, readButton(button));
    // The focused button is now hidden: keyboards and screen readers continue from the checkout.
    element.setAttribute('tabindex', '-1');
    // Browsers show a focus ring when a script moves the focus, for example when a reloaded page shows the checkout again.
    if (!isByKeyboard) element.style.outline = 'none';
    element.focus();
    await mounting;
  };

  const press = (button: HTMLElement): void => {
    const selector = button.dataset.transferCheckout;
    button.ariaBusy = 'true';
    (selector ? mount(button, selector) : open(button))
      // biome-ignore lint/suspicious/noConsole: no caller can catch this error, and the developer needs to see it
      .catch((error: unknown) => console.error(error))
      .then(() => {
        button.ariaBusy = null;
      });
  };

  pageDocument.addEventListener('click', (event) => {
    const button = closestTarget(event, '[data-transfer-checkout]');
    if (!button || button.ariaBusy) return;
    event.preventDefault();
    press(button);
  });
}

function findElement(selector: string): HTMLElement {
  const element = pageDocument.querySelector<HTMLElement>(selector);
  if (element) return element;
  throw new CheckoutError('invalid_options', `data-transfer-checkout="${selector}" selects no element.`);
}
