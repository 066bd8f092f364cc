import { version } from '../package.json';
import { openFromButtons } from './mounts/checkout-button.ts';
import { defineCheckoutElement } from './mounts/checkout-element.ts';
import { fileNameOf } from './mounts/file-names.ts';
import { createLoader, type Loader, type Widget } from './mounts/loader.ts';
import { prepare } from './mounts/prepare.ts';
import { readWritten } from './mounts/written-options.ts';

/** A failed import is remembered by its address, so the second attempt has another. */
const importWidget = (attempt: number): Promise<Widget> =>
  import(/* @vite-ignore */ `./${fileNameOf('widget')}${attempt === 0 ? '' : `?attempt=${attempt}`}`);

const { preload, ...loader } = createLoader(importWidget);

declare global {
  interface Window {
    /** What the script tag gives to the page. */
    TransferCheckout: Loader & { readonly version: string };
  }
}

const isFirst = !window.TransferCheckout;
window.TransferCheckout = { ...loader, version };
defineCheckoutElement(loader);
if (isFirst) {
  openFromButtons(loader);
  // Asks the elements of the page, too.
  prepare({ ...loader, preload, readWritten });
}
