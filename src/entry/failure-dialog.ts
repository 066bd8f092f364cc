import { pageDocument } from '../widget/dom/page.ts';
import { createPlaceholder, type Failure, type PlaceholderOptions } from './placeholder.ts';

/** Says in a dialog above the page that a checkout could not be opened, and offers to try again. */
export function showFailureDialog(
  target: Element,
  options: PlaceholderOptions,
  { error, retry }: Failure,
): void {
  const host = pageDocument.createElement('div');
  const dialog = pageDocument.createElement('dialog');
  const close = pageDocument.createElement('button');
  const message = createPlaceholder(target, options, {
    error,
    retry() {
      dialog.close();
      retry();
    },
  });
  host.setAttribute('data-checkout-failed', '');
  host.style.cssText = 'all:initial!important;display:contents!important';
  host.attachShadow({ mode: 'open' }).append(dialog);
  dialog.style.cssText = 'box-sizing:border-box;max-width:28em;color-scheme:light dark';
  dialog.ariaLabel = options.merchantName || 'Checkout';
  close.style.cssText = 'float:inline-end;min-width:44px;min-height:44px';
  close.textContent = '✕';
  close.ariaLabel = 'Close';
  close.onclick = () => dialog.close();
  dialog.onclose = () => host.remove();
  dialog.append(close, message);
  pageDocument.body.append(host);
  dialog.showModal();
}
