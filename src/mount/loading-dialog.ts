import type { TransferCheckout } from './checkout.ts';
import type { CheckoutOptions } from './options/options.ts';
import { createLine } from './placeholder.ts';

export type Opening = {
  /** Tells the events, and says in which language the page is. */
  readonly teller: Element;
  readonly options: CheckoutOptions;
  /** Gives the checkout; undefined when it could not be made, and somebody has been told. */
  readonly make: () => Promise<TransferCheckout | undefined>;
  /** The shopper wants to try again. */
  readonly retry: () => void;
};

/**
 * Opens a checkout above the page. From the first moment a dialog says that it is on its way, and the checkout takes its place. When it
 * does not come, the dialog says so, and offers to try again. Resolves when it is open, or the shopper has closed the dialog.
 */
export function openAbove({ teller, options, make, retry }: Opening): Promise<void> {
  const { dialog, line } = openDialog(teller, options);
  return new Promise((resolve, reject) => {
    let checkout: TransferCheckout | undefined;
    dialog.onclose = () => {
      // Closed by the shopper.
      if (!dialog.returnValue) checkout?.close();
      resolve();
    };
    const fail = (error?: unknown): void => {
      line.replaceWith(
        createLine(teller, options, () => {
          dialog.close('again');
          retry();
        }),
      );
      if (error) reject(error);
    };
    make()
      .then(async (made) => {
        checkout = made;
        if (!made) return fail();
        if (dialog.open) await made.open(teller);
        dialog.close('open');
      })
      .catch(fail);
  });
}

/** A dialog of the size of the modal's card, which says that it is on its way. On a phone it is the whole screen. */
function openDialog(teller: Element, options: CheckoutOptions) {
  const host = document.createElement('div');
  const dialog = document.createElement('dialog');
  const close = document.createElement('button');
  const line = createLine(teller, options);
  const theme = options.appearance?.theme ?? 'auto';
  // By this the modal finds it, and takes its place.
  host.setAttribute('data-checkout-waiting', '');
  host.style.cssText = 'all:initial!important;display:contents!important';
  host.attachShadow({ mode: 'open' }).append(dialog);
  dialog.style.cssText = `${innerWidth < 481 ? 'height:100%' : 'height:44em;border-radius:1em'};color-scheme:${theme === 'auto' ? 'light dark' : theme};box-sizing:border-box;width:28em;max-width:100%;max-height:100%;border:0;box-shadow:0 0 0 100vmax rgb(0 0 0/55%)`;
  dialog.ariaLabel = options.merchantName || line.textContent;
  dialog.append(close, line);
  dialog.addEventListener('close', () => host.remove());
  close.style.cssText = 'float:inline-end;margin:0 .5em;min-width:44px;min-height:44px';
  close.textContent = '✕';
  close.ariaLabel = 'Close';
  close.onclick = () => dialog.close();
  document.body.append(host);
  dialog.showModal();
  return { dialog, line };
}
