import { CheckoutError } from '../contract/errors.ts';
import { baseOf, findByTag, type Messages } from '../i18n/messages.ts';
import type { CheckoutOptions } from '../options/options.ts';
import { pageDocument } from '../widget/dom/page.ts';

/** English messages that are needed before a language file is loaded, or when it cannot be. */
const messages = {
  loading: 'Getting your account number…',
  loadFailed: 'This could not be loaded. Check your connection and try again.',
  unavailableLead: 'Try again, or ask the shop for help.',
  tryAgain: 'Try again',
  browserTooOld: 'This browser is too old to show the payment here. Please update it or use another.',
} satisfies Partial<Messages>;

export type PlaceholderOptions = Pick<CheckoutOptions, 'text' | 'locale' | 'merchantName'>;

export type Failure = { readonly retry: () => void; readonly error?: unknown };

/** Shows a placeholder in an element's shadow root while the checkout loads, or a failure with a button to try again. */
export function showPlaceholder(
  element: Element,
  options: PlaceholderOptions = {},
  failure?: Failure,
): HTMLElement | undefined {
  try {
    const root = element.shadowRoot ?? element.attachShadow({ mode: 'open' });
    // Server-rendered details are more useful than a placeholder.
    if (root.querySelector('[data-rendered]')) return undefined;
    const placeholder = createPlaceholder(element, options, failure);
    placeholder.style.cssText +=
      ';box-sizing:border-box;max-width:var(--checkout-max-width,28em);min-height:40em;margin:0 auto;padding:1.25em';
    if (failure && isTooOld(failure)) {
      // Shows the page's own content of the element, such as another way to pay.
      placeholder.append(pageDocument.createElement('slot'));
      placeholder.style.minHeight = '';
    }
    root.textContent = '';
    root.append(placeholder);
    return placeholder;
  } catch {
    // The element cannot have a shadow root: the mount reports it.
    return undefined;
  }
}

function createPlaceholder(near: Element, options: PlaceholderOptions, failure?: Failure): HTMLElement {
  const placeholder = createTextElement('p', failure ? keyOf(failure) : 'loading', near, options);
  placeholder.style.cssText = 'font:medium/1.45 system-ui,sans-serif;accent-color:gray';
  placeholder.setAttribute('role', failure ? 'alert' : 'status');
  if (failure && !isTooOld(failure)) {
    const button = createTextElement('button', 'tryAgain', near, options);
    button.style.cssText = 'display:block;margin:1em 0;min-width:44px;min-height:44px;font:inherit';
    button.onclick = failure.retry;
    placeholder.append(button);
  }
  return placeholder;
}

const codeOf = ({ error }: Failure): unknown => Object(error).code;

const isTooOld = (failure: Failure): boolean => codeOf(failure) === 'browser_unsupported';

/** The shopper's connection is not to blame for a wrong option of the page. */
function keyOf(failure: Failure): keyof typeof messages {
  if (isTooOld(failure)) return 'browserTooOld';
  return codeOf(failure) === 'invalid_options' ? 'unavailableLead' : 'loadFailed';
}

/** Uses the merchant's own message in the page's language, or English. Where neither fits, `loading` shows a progress bar. */
function createTextElement(
  name: string,
  key: keyof typeof messages,
  near: Element,
  options: PlaceholderOptions,
): HTMLElement {
  const element = pageDocument.createElement(name);
  const tag = languageOf(near, options);
  const custom = options.text?.[key];
  const byLanguage = typeof custom === 'object' ? custom : { [tag]: custom };
  const message = findByTag(byLanguage, tag);
  const isEnglish = !message && (baseOf(tag) === 'en' || key !== 'loading');
  element.lang = isEnglish ? 'en' : tag;
  if (isEnglish) element.dir = 'ltr';
  if (message) element.append(message);
  else if (isEnglish) element.append(findByTag(byLanguage, 'en') ?? messages[key]);
  // Screen readers announce a progress bar in the reader's own language.
  else element.appendChild(pageDocument.createElement('progress')).ariaLabel = options.merchantName ?? '';
  return element;
}

/** The configured language; undefined where the widget chooses later: among those that `locale` names, or its own. */
export const namedLanguage = ({ locale = 'auto' }: PlaceholderOptions): string | undefined =>
  /^(?!auto$)[\w-]+$/.test(`${locale}`) ? `${locale}` : undefined;

const languageOf = (element: Element, options: PlaceholderOptions): string =>
  namedLanguage(options) ?? (element.closest<HTMLElement>('[lang]')?.lang || navigator.language);

/** No script of the page can add the last one, a style that the oldest supported browsers have (docs/reference/versions.md). */
export const isBrowserSupported = (): boolean =>
  'at' in Array.prototype &&
  typeof HTMLDialogElement === 'function' &&
  'showModal' in HTMLDialogElement.prototype &&
  CSS.supports('selector(:focus-visible)') &&
  CSS.supports('color', 'light-dark(red, red)');

export const createOldBrowserError = (): CheckoutError =>
  new CheckoutError('browser_unsupported', 'This browser is too old for the checkout.');

/** Says below the target that the browser is too old, if it is. @throws {CheckoutError} `browser_unsupported` */
export function refuseOldBrowser(target: Element, options: CheckoutOptions): void {
  if (isBrowserSupported()) return;
  const error = createOldBrowserError();
  if (!target.nextElementSibling?.hasAttribute('data-checkout-refused')) {
    const message = createPlaceholder(target, options, { error, retry() {} });
    message.setAttribute('data-checkout-refused', '');
    target.after(message);
  }
  throw error;
}

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
