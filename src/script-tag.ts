import { version } from '../package.json';
import { openFromButtons } from './entry/button.ts';
import { createEarlySessions } from './entry/early-session.ts';
import { defineCheckoutElement } from './entry/element/transfer-checkout-element.ts';
import { allowOrigins } from './entry/options/allowed-origins.ts';
import { labelButtons } from './entry/reopen/label-buttons.ts';
import { reopen } from './entry/reopen/reopen.ts';
import { fileNameOf } from './entry/script-tag/file-names.ts';
import { createLoader, type Loader, type Widget } from './entry/script-tag/loader.ts';
import { preloadWidget } from './entry/script-tag/preload-widget.ts';
import { pageDocument } from './widget/dom/page.ts';

type Global = Loader & {
  /** Lets markup choose checkout servers of these origins; see `allowOrigins` of the npm package. */
  readonly allowOrigins: typeof allowOrigins;
  readonly version: string;
};

declare global {
  interface Window {
    /** The functions that the script tag offers to the page. */
    TransferCheckout: Global;
  }
}

/** Returns an attribute of this script's own tag. A module has none, and no other tag is trusted: markup could pass for it. */
function readTag(name: string): string {
  const tag = pageDocument.currentScript;
  return (tag instanceof HTMLScriptElement && tag.getAttribute(name)) || '';
}

const src = readTag('src');

/**
 * Imports the widget from beside this script. Chromium refuses a relative import in a script of another origin, which has an absolute
 * `src`; a relative `src` proves nothing, because a `<base>` further down the page changes what it means.
 */
const importWidget = async (attempt: number): Promise<Widget> => {
  const file = fileNameOf('widget', attempt);
  const isAbsolute = /^\s*(https?:)?\/\//i.test(src);
  // Later, because the session request is sent first.
  setTimeout(warmUpFormats);
  return import(
    /* @vite-ignore */ isAbsolute ? new URL(file, new URL(src, location.href)).href : `./${file}`
  );
};

/** Formats an amount and a time while the widget is loading: the first of each takes tens of milliseconds on a slow phone. */
function warmUpFormats(): void {
  (0).toLocaleString('en', { style: 'currency', currency: 'NGN' });
  new Date(0).toLocaleTimeString('en-GB');
}

const { loader, preload, createToOpen, label } = createLoader({
  importWidget,
  sendEarly: createEarlySessions(),
});

/** The global of an earlier script tag, which serves the elements and buttons. Markup such as `<a id="TransferCheckout">` makes no own property. */
const earlier: Partial<Global> | undefined = Object.getOwnPropertyDescriptor(
  window,
  'TransferCheckout',
)?.value;
const isFirst = typeof earlier?.mountCheckout !== 'function';
// An element of the page needs the widget in any case, and nothing takes longer to load.
if (isFirst && pageDocument.querySelector('transfer-checkout:not([modal])')) preload();
const allow = (!isFirst && earlier?.allowOrigins) || allowOrigins;
allow(readTag('data-allowed-origins').split(/\s+/));
window.TransferCheckout = { ...loader, allowOrigins: allow, version };
// Buttons and modal elements open their checkout at once.
const mounts = { mountCheckout: loader.mountCheckout, createTransferCheckout: createToOpen };
defineCheckoutElement(mounts);
if (isFirst) {
  openFromButtons(mounts);
  preloadWidget(preload);
  // Elements must be defined by now: it reads their options.
  void reopen(loader.wasOpen).then(() => labelButtons(label));
}
