import type { CheckoutOptions } from './options/options.ts';

/** English messages that are needed before a language file is loaded, or when it cannot be. */
const messages = {
  loading: 'Getting your account number…',
  loadFailed: 'This could not be loaded. Check your connection and try again.',
  tryAgain: 'Try again',
};

export type PlaceholderOptions = Pick<CheckoutOptions, 'text' | 'locale' | 'merchantName'>;

/**
 * Shows a placeholder in an element's shadow root while the checkout loads. With `retry` it says that loading failed, and has a
 * button to try again.
 */
export function showPlaceholder(
  element: Element,
  options: PlaceholderOptions = {},
  retry?: () => void,
): void {
  try {
    const root = element.shadowRoot ?? element.attachShadow({ mode: 'open' });
    // Server-rendered details are more useful than a placeholder.
    if (root.querySelector('[data-rendered]')) return;
    const placeholder = createPlaceholder(element, options, retry);
    placeholder.style.cssText += ';min-height:40em;margin:0;padding:1.25em';
    root.textContent = '';
    root.append(placeholder);
  } catch {
    // The element cannot have a shadow root: the mount reports it.
  }
}

/** Creates a placeholder in the language of the element that it stands in or belongs to. */
export function createPlaceholder(
  near: Element,
  options: PlaceholderOptions,
  retry?: () => void,
): HTMLElement {
  const placeholder = createTextElement('p', retry ? 'loadFailed' : 'loading', near, options);
  placeholder.style.cssText = 'font:medium/1.45 system-ui,sans-serif;accent-color:gray';
  placeholder.setAttribute('role', retry ? 'alert' : 'status');
  if (retry) {
    const button = createTextElement('button', 'tryAgain', near, options);
    button.style.cssText = 'display:block;margin:1em 0;min-width:44px;min-height:44px;font:inherit';
    button.onclick = retry;
    placeholder.append(button);
  }
  return placeholder;
}

/**
 * Creates an element with a message: the merchant's own in the page's language, or English. When neither is in the page's language,
 * `loading` shows a progress bar instead.
 */
function createTextElement(
  name: string,
  key: keyof typeof messages,
  near: Element,
  options: PlaceholderOptions,
): HTMLElement {
  const element = document.createElement(name);
  const tag = languageOf(near, options);
  const base = tag.replace(/-.*/, '');
  const custom = options.text?.[key];
  const byLanguage = typeof custom === 'object' ? custom : { [tag]: custom };
  const message = byLanguage[tag] ?? byLanguage[base];
  const isEnglish = !message && (base === 'en' || key !== 'loading');
  element.lang = isEnglish ? 'en' : tag;
  if (isEnglish) element.dir = 'ltr';
  element.append(
    message ?? (isEnglish ? (byLanguage.en ?? messages[key]) : createProgress(options.merchantName)),
  );
  return element;
}

/** The configured language, or the page's. The widget chooses later when `locale` names several. */
function languageOf(element: Element, { locale = 'auto' }: PlaceholderOptions): string {
  if (/^(?!auto$)[\w-]+$/.test(`${locale}`)) return `${locale}`;
  return element.closest<HTMLElement>('[lang]')?.lang || navigator.language;
}

/** Screen readers announce a progress bar in the reader's own language. */
function createProgress(label = ''): Element {
  const progress = document.createElement('progress');
  progress.ariaLabel = label;
  return progress;
}
