import { CheckoutError } from '../contract/errors.ts';
import type { CheckoutOptions } from '../options/options.ts';
import { closestTarget, pageDocument } from '../widget/dom/page.ts';
import { readButton } from './attributes.ts';
import type { MountFunctions, TransferCheckout } from './create-widget.ts';
import { refuseOldBrowser, showFailureDialog } from './placeholder.ts';

/**
 * Lets `<button data-transfer-checkout>` open a checkout above the page, and the same one when pressed again.
 * `<button data-transfer-checkout="#pay">` shows it in the element that the selector names, and hides the button.
 */
export function openFromButtons(mounts: MountFunctions): void {
  const checkouts = new WeakMap<HTMLElement, TransferCheckout>();

  const open = async (button: HTMLElement, options: CheckoutOptions): Promise<void> => {
    try {
      const existing = checkouts.get(button);
      // The attributes may have changed.
      existing?.update(options);
      const checkout = existing ?? (await mounts.createTransferCheckout(options));
      checkouts.set(button, checkout);
      await checkout.open(button);
    } catch (error) {
      showFailureDialog(button, options, { error, retry: () => press(button) });
      throw error;
    }
  };

  const mount = async (button: HTMLElement, selector: string, options: CheckoutOptions): Promise<void> => {
    const element = pageDocument.querySelector<HTMLElement>(selector);
    if (!element)
      throw new CheckoutError('invalid_options', `data-transfer-checkout="${selector}" selects no element.`);
    const isByKeyboard = button.matches(':focus-visible');
    button.hidden = true;
    // The element shows failures and the retry button itself.
    const mounting = mounts.mountCheckout(element, options);
    // The focused button is now hidden: keyboards and screen readers continue from the checkout.
    element.setAttribute('tabindex', '-1');
    // Browsers show a focus ring when a script moves the focus, for example when a reloaded page shows the checkout again.
    if (!isByKeyboard) element.style.outline = 'none';
    element.focus();
    await mounting;
  };

  const press = async (button: HTMLElement): Promise<void> => {
    const selector = button.dataset.transferCheckout;
    const options = readButton(button);
    const spinner = showBusy(button);
    try {
      refuseOldBrowser(button, options);
      await (selector ? mount(button, selector, options) : open(button, options));
    } catch (error) {
      // biome-ignore lint/suspicious/noConsole: no caller can catch this error, and the developer needs to see it
      console.error(error);
    }
    spinner.remove();
    button.ariaBusy = null;
  };

  pageDocument.addEventListener('click', (event) => {
    const button = closestTarget(event, '[data-transfer-checkout]');
    if (!button || button.ariaBusy) return;
    event.preventDefault();
    void press(button);
  });
}

function showBusy(button: HTMLElement): HTMLElement {
  const spinner = pageDocument.createElement('span');
  spinner.style.cssText =
    'display:inline-block;box-sizing:border-box;width:1em;height:1em;margin-inline-start:.5em;border:.15em solid;border-inline-end-color:transparent;border-radius:50%;vertical-align:-.15em';
  spinner.animate?.({ rotate: ['0turn', '1turn'] }, { duration: 1000, iterations: Number.POSITIVE_INFINITY });
  button.ariaBusy = 'true';
  button.append(spinner);
  return spinner;
}

const openers = '[data-transfer-checkout],transfer-checkout';

/** Calls `preload` once, when a pointer or the focus reaches an opener. A page whose shopper pays otherwise loads no widget. */
export function preloadWidget(preload: () => void): void {
  const done = new AbortController();
  const preloadFor = (event: Event): void => {
    if (!closestTarget(event, openers)) return;
    done.abort();
    preload();
  };
  // Touches fire `pointerover`, too.
  for (const type of ['pointerover', 'focusin']) {
    pageDocument.addEventListener(type, preloadFor, { signal: done.signal });
  }
}
