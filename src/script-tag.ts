import { version } from '../package.json';
import { CheckoutError } from './contract/errors.ts';
import { allowOrigins, hasFlag } from './entry/attributes.ts';
import { openFromButtons, preloadWidget } from './entry/button.ts';
import { createEarlySessions } from './entry/early-session.ts';
import { defineCheckoutElement } from './entry/element.ts';
import { fileNameOf } from './entry/file-names.ts';
import { createLoader, type Loader, type Widget } from './entry/loader.ts';
import { createOldBrowserError, isBrowserSupported } from './entry/placeholder.ts';
import { reopen } from './entry/reopen.ts';
import { pageBase, pageDocument } from './widget/dom/page.ts';

type Global = Loader & {
  /** Lets markup choose checkout servers of these origins; see `allowOrigins` of the npm package. */
  readonly allowOrigins: typeof allowOrigins;
  /**
   * The folder of the script tag's files, where `checkout.js` is joined with other scripts, inlined or evaluated. A page sets it before
   * the script, `window.TransferCheckout = { assets: '/assets/' }`, or writes `data-assets` on the tag.
   */
  assets?: string | undefined;
  readonly version: string;
};

declare global {
  interface Window {
    /** The functions that the script tag offers to the page. */
    TransferCheckout: Global;
  }
}

/** This script's own tag. A module has none, and no other tag is trusted: markup could pass for it. */
const tag = pageDocument.currentScript instanceof HTMLScriptElement ? pageDocument.currentScript : undefined;
const readTag = (name: string): string => tag?.getAttribute(name) ?? '';

const src = readTag('src');

function findRefusal(): CheckoutError | undefined {
  if (!isBrowserSupported()) return createOldBrowserError();
  if (own.assets || src || !tag) return undefined;
  return new CheckoutError(
    'invalid_options',
    'checkout.js was inlined or evaluated: name the folder of its files in data-assets on the tag, or in TransferCheckout.assets.',
  );
}

const importWidget = async (attempt: number): Promise<Widget> => {
  const refusal = findRefusal();
  if (refusal) throw refusal;
  const file = fileNameOf('widget', attempt);
  const isAbsolute = /^\s*(https?:)?\/\//i.test(src);
  const folder = own.assets ? own.assets.replace(/\/?$/, '/') : isAbsolute && src;
  // Later, because the session request is sent first. The first amount takes a slow phone tens of milliseconds.
  setTimeout(() => (0).toLocaleString('en', { style: 'currency', currency: 'NGN' }));
  return import(/* @vite-ignore */ folder ? new URL(file, new URL(folder, pageBase())).href : `./${file}`);
};

const sendEarly = createEarlySessions();
const { loader, preload, createToOpen } = createLoader({
  importWidget,
  sendEarly: (options) => (findRefusal() ? undefined : sendEarly(options)),
});

/** The page's `assets`, or the global of an earlier script tag. Markup such as `<a id="TransferCheckout">` makes no own property. */
const earlier: Partial<Global> | undefined = Object.getOwnPropertyDescriptor(
  window,
  'TransferCheckout',
)?.value;
const isFirst = typeof earlier?.mountCheckout !== 'function';
const allow = (!isFirst && earlier?.allowOrigins) || allowOrigins;
allow(readTag('data-allowed-origins').split(/\s+/));
const assets = readTag('data-assets') || (isFirst && earlier?.assets) || undefined;
const own: Global = { ...loader, allowOrigins: allow, assets, version };
window.TransferCheckout = own;
// An element of the page needs the widget in any case, and nothing takes longer to load.
const elements = [...pageDocument.querySelectorAll('transfer-checkout')];
if (isFirst && elements.some((element) => !hasFlag(element, 'modal'))) preload();
// Buttons and modal elements open their checkout at once.
const mounts = { mountCheckout: loader.mountCheckout, createTransferCheckout: createToOpen };
defineCheckoutElement(mounts);
if (isFirst) {
  openFromButtons(mounts);
  preloadWidget(preload);
  // Elements must be defined by now: it reads their options.
  void reopen();
}
