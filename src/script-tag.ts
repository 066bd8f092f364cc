import { version } from '../package.json';
import { openFromButtons } from './mount/button.ts';
import { defineCheckoutElement } from './mount/custom-element.ts';
import { readWritten } from './mount/options/attributes.ts';
import { createEarlySessions } from './mount/script-tag/early-session.ts';
import { fileNameOf } from './mount/script-tag/file-names.ts';
import { isPinned } from './mount/script-tag/integrity-map.ts';
import { createLoader, type Loader, type Widget } from './mount/script-tag/loader.ts';
import { prepare } from './mount/script-tag/preload-widget.ts';

/** This script's own address. A module is not told its tag. */
const { src = '' } =
  (document.currentScript as HTMLScriptElement | null) ??
  document.querySelector<HTMLScriptElement>('script[src*="/checkout.js"]') ??
  {};

/**
 * Absolute, because Chromium refuses a relative import in a script of another origin. A failed import is remembered by its address, so
 * the second attempt has another.
 */
const importWidget = (attempt: number): Promise<Widget> => {
  const file = fileNameOf('widget') + (attempt === 0 || isPinned() ? '' : `?attempt=${attempt}`);
  return import(/* @vite-ignore */ src ? new URL(file, src).href : `./${file}`);
};

const { loader, preload, createToOpen } = createLoader({
  importWidget,
  sendEarly: createEarlySessions(),
});

declare global {
  interface Window {
    /** What the script tag gives to the page. */
    TransferCheckout: Loader & { readonly version: string };
  }
}

const isFirst = !window.TransferCheckout;
window.TransferCheckout = { ...loader, version };
// A button, or an element that is opened, makes its checkout when it is pressed.
const mounts = { mountCheckout: loader.mountCheckout, createTransferCheckout: createToOpen };
defineCheckoutElement(mounts);
if (isFirst) {
  openFromButtons(mounts);
  // Asks the elements of the page, too.
  prepare({ ...loader, preload, readWritten });
}
