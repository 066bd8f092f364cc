import { version } from '../package.json';
import { openFromButtons } from './mount/button.ts';
import { defineCheckoutElement } from './mount/custom-element.ts';
import { reopen } from './mount/reopen/reopen.ts';
import { createEarlySessions } from './mount/script-tag/early-session.ts';
import { fileNameOf } from './mount/script-tag/file-names.ts';
import { createLoader, type Loader, type Widget } from './mount/script-tag/loader.ts';
import { preloadWidget } from './mount/script-tag/preload-widget.ts';

/** This script's own URL. A module cannot read `currentScript`. */
const { src = '' } =
  (document.currentScript as HTMLScriptElement | null) ??
  document.querySelector<HTMLScriptElement>('script[src*="/checkout.js"]') ??
  {};

/** Imports the widget from an absolute URL: Chromium refuses a relative import in a script of another origin. */
const importWidget = (attempt: number): Promise<Widget> => {
  const file = fileNameOf('widget', attempt);
  const widget = import(/* @vite-ignore */ src ? new URL(file, src).href : `./${file}`);
  warmUpFormats();
  return widget;
};

/** Formats an amount and a time while the widget is loading: the first of each takes tens of milliseconds on a slow phone. */
function warmUpFormats(): void {
  (0).toLocaleString('en', { style: 'currency', currency: 'NGN' });
  new Date(0).toLocaleTimeString('en-GB');
}

const { loader, preload, createToOpen } = createLoader({
  importWidget,
  sendEarly: createEarlySessions(),
});

declare global {
  interface Window {
    /** The functions that the script tag offers to the page. */
    TransferCheckout: Loader & { readonly version: string };
  }
}

const isFirst = !window.TransferCheckout;
window.TransferCheckout = { ...loader, version };
// Buttons and modal elements open their checkout at once.
const mounts = { mountCheckout: loader.mountCheckout, createTransferCheckout: createToOpen };
defineCheckoutElement(mounts);
if (isFirst) {
  openFromButtons(mounts);
  preloadWidget(preload);
  // Elements must be defined by now: it reads their options.
  void reopen(loader.wasOpen);
}
