import { version } from '../package.json';
import { openFromButtons } from './mounts/checkout-button.ts';
import { defineCheckoutElement } from './mounts/checkout-element.ts';
import { createLoader, type Loader, type Widget } from './mounts/loader.ts';
import { readWritten } from './mounts/written-options.ts';

/** The build writes the names of the widget's files here. */
declare const __WIDGET_FILE__: string;
declare const __MODAL_FILE__: string;

/** A failed import is remembered by its address, so the second attempt has another. */
const importFile = (file: string, attempt: number): Promise<unknown> =>
  import(/* @vite-ignore */ `./${file}${attempt === 0 ? '' : `?attempt=${attempt}`}`);

const { preload, ...loader } = createLoader((attempt, isModal) => {
  // So that it is there when the widget asks for it, which asks again where it does not come.
  if (isModal) importFile(__MODAL_FILE__, attempt).catch(() => {});
  return importFile(__WIDGET_FILE__, attempt) as Promise<Widget>;
});

declare global {
  interface Window {
    /** What the script tag gives to the page. */
    TransferCheckout: Loader & { readonly version: string };
  }
}

if (!window.TransferCheckout) {
  openFromButtons(loader);
  // In a file of its own, which nobody waits for; where it does not come, a press does all.
  import('./mounts/prepare.ts').then(
    ({ prepare }) => prepare({ ...loader, preload, readWritten }),
    () => {},
  );
}
window.TransferCheckout = { ...loader, version };
defineCheckoutElement(loader);
