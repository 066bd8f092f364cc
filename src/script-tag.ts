import { version } from '../package.json';
import { openFromButtons } from './mounts/checkout-button.ts';
import { defineCheckoutElement } from './mounts/checkout-element.ts';
import { createLoader, type Loader, type Widget } from './mounts/loader.ts';

/** The build writes the name of the widget's file here. */
declare const __WIDGET_FILE__: string;

/** A failed import is remembered by its address, so the second attempt has another. */
const loader = createLoader(
  (attempt): Promise<Widget> =>
    import(/* @vite-ignore */ `./${__WIDGET_FILE__}${attempt === 0 ? '' : `?attempt=${attempt}`}`),
);

declare global {
  interface Window {
    /** What the script tag gives to the page. */
    TransferCheckout: Loader & { readonly version: string };
  }
}

if (!window.TransferCheckout) openFromButtons(loader);
window.TransferCheckout = { ...loader, version };
defineCheckoutElement(loader);
