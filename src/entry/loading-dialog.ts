import type { CheckoutOptions } from '../options/options.ts';
import { pageDocument } from '../widget/dom/page.ts';
import { pinToVisualViewport } from '../widget/dom/pin-to-visual-viewport.ts';
import type { TransferCheckout } from './create-widget.ts';
import { isBrowserSupported, refuseOldBrowser } from './old-browser.ts';
import { createPlaceholder } from './placeholder.ts';

/** Offers to try again after an error. */
export type ShowFailure = (error: unknown) => void;

export type OpenOptions = {
  /** Dispatches the events. The dialog is in its language. */
  readonly target: Element;
  readonly options: CheckoutOptions;
  /** Resolves with the checkout to open. Where it reports a failure itself, it calls `showFailure` and resolves with undefined. */
  readonly create: (showFailure: ShowFailure) => Promise<TransferCheckout | undefined>;
  /** Called when the shopper wants to try again after a failure. */
  readonly retry: () => void;
};

/**
 * Opens a checkout above the page. Shows a loading dialog at once, which the checkout's modal replaces; after a failure the dialog
 * offers to try again. The script tag needs a dialog of its own, because the modal's styles load with the widget. Resolves
 * when the checkout is open or the shopper has closed the dialog.
 */
export function openWithLoadingDialog({ target, options, create, retry }: OpenOptions): Promise<void> {
  if (!isBrowserSupported()) return refuseOldBrowser(target, options);
  const { dialog, placeholder } = openDialog(target, options);
  return new Promise((resolve, reject) => {
    let checkout: TransferCheckout | undefined;
    dialog.onclose = () => {
      // Only the shopper closes it without a return value.
      if (!dialog.returnValue) checkout?.close();
      resolve();
    };
    const showFailure: ShowFailure = (error) => {
      placeholder.replaceWith(
        createPlaceholder(target, options, {
          error,
          retry() {
            dialog.close('retry');
            retry();
          },
        }),
      );
    };
    create(showFailure)
      .then(async (created) => {
        checkout = created;
        if (!created) return;
        if (dialog.open) await created.open(target);
        dialog.close('open');
      })
      .catch((error: unknown) => {
        showFailure(error);
        reject(error);
      });
  });
}

/** Opens a dialog on the visible part of the page, with a sheet of the size of the checkout's modal; on a phone it fills the screen. */
function openDialog(target: Element, options: CheckoutOptions) {
  const host = pageDocument.createElement('div');
  const dialog = pageDocument.createElement('dialog');
  const sheet = pageDocument.createElement('div');
  const close = pageDocument.createElement('button');
  const placeholder = createPlaceholder(target, options);
  const theme = options.appearance?.theme ?? 'auto';
  // `openModal` finds the host by this attribute and replaces it.
  host.setAttribute('data-checkout-waiting', '');
  host.style.cssText = 'all:initial!important;display:contents!important';
  host.attachShadow({ mode: 'open' }).append(dialog);
  dialog.style.cssText = `position:fixed;inset:0;display:flex;width:100%;max-width:none;height:100%;max-height:none;margin:0;padding:0;border:0;background:none;color-scheme:${theme === 'auto' ? 'light dark' : theme}`;
  sheet.style.cssText = `${innerWidth < 481 ? 'height:100%' : 'height:44em;border-radius:1em'};box-sizing:border-box;width:28em;max-width:100%;max-height:100%;margin:auto;padding:1em;overflow:auto;background:canvas;box-shadow:0 0 0 100vmax rgb(0 0 0/55%)`;
  dialog.ariaLabel = options.merchantName || placeholder.textContent;
  sheet.append(close, placeholder);
  dialog.append(sheet);
  close.style.cssText = 'float:inline-end;margin:0 .5em;min-width:44px;min-height:44px';
  close.textContent = '✕';
  close.ariaLabel = 'Close';
  close.onclick = () => dialog.close();
  pageDocument.body.append(host);
  // First, because the browser moves the page to a focused button that is out of sight.
  const unpin = pinToVisualViewport(dialog);
  dialog.showModal();
  dialog.addEventListener('close', () => {
    unpin();
    host.remove();
  });
  return { dialog, placeholder };
}
