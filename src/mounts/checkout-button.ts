import type { Mount } from './checkout-element.ts';

/**
 * Lets a button open a checkout without a line of script:
 * `<button data-transfer-checkout="#pay" data-base-url="/checkout" data-merchant-name="…" data-return-url="…" data-support-url="…"
 * data-support-email="…" data-locale="…" data-theme="…">`.
 * The value names the element that the checkout is shown in. The button goes away for it. Buttons may be added to
 * the page at any time.
 */
export function openFromButtons(mount: Mount): void {
  document.addEventListener('click', (event) => {
    const button = (event.target as Element).closest<HTMLElement>('[data-transfer-checkout]');
    if (!button) return;
    event.preventDefault();
    const {
      transferCheckout = '',
      baseUrl,
      merchantName,
      returnUrl,
      supportUrl,
      supportEmail,
      locale,
      theme,
    } = button.dataset;
    const element = document.querySelector<HTMLElement>(transferCheckout);
    button.hidden = !!element;
    // Without an element the mount says what is wrong.
    const mounted = mount(element as HTMLElement, {
      baseUrl,
      merchantName,
      returnUrl,
      supportUrl,
      supportEmail,
      locale,
      appearance: { theme: theme as 'auto' },
    });
    Promise.resolve(mounted).catch((error: unknown) => {
      button.hidden = false;
      // biome-ignore lint/suspicious/noConsole: there is nobody else to tell, and the developer needs to see it
      console.error(error);
    });
    // The button that had the focus is gone; a keyboard or a screen reader goes on from the checkout.
    element?.setAttribute('tabindex', '-1');
    element?.focus();
  });
}
