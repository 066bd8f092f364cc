import type { CheckoutOptions } from './options/options.ts';

/**
 * The words that are there before the widget is, or instead of it. They are not among the locale's, because the
 * script tag must not wait for that file.
 */
const words = {
  loading: 'Getting your account number…',
  loadFailed: 'This could not be loaded. Check your connection and try again.',
  tryAgain: 'Try again',
};

export type LineOptions = Pick<CheckoutOptions, 'text' | 'locale' | 'merchantName'>;

/**
 * Writes one line into the shadow root of an element: a checkout is never blank. With `retry` it says that the checkout could not
 * be loaded, and has a button to try that again.
 */
export function showLine(element: Element, options: LineOptions = {}, retry?: () => void): void {
  try {
    const root = element.shadowRoot ?? element.attachShadow({ mode: 'open' });
    // What a server has rendered says more.
    if (root.querySelector('[data-rendered]')) return;
    const line = createLine(element, options, retry);
    line.style.cssText += ';min-height:40em;margin:0;padding:1.25em';
    root.textContent = '';
    root.append(line);
  } catch {
    // Not an element that can hold anything: the mount says so.
  }
}

/** The line, in the language of what it stands in. */
export function createLine(near: Element, options: LineOptions, retry?: () => void): HTMLElement {
  const line = createWords('p', retry ? 'loadFailed' : 'loading', near, options);
  line.style.cssText = 'font:medium/1.45 system-ui,sans-serif;accent-color:gray';
  line.setAttribute('role', retry ? 'alert' : 'status');
  if (retry) {
    const button = createWords('button', 'tryAgain', near, options);
    button.style.cssText = 'display:block;margin:1em 0;min-width:44px;min-height:44px;font:inherit';
    button.onclick = retry;
    line.append(button);
  }
  return line;
}

/**
 * An element that says this. While the checkout loads, a bar without words stands where neither the merchant's nor English ones would
 * be in the page's language. All else always has words.
 */
function createWords(
  name: string,
  key: keyof typeof words,
  near: Element,
  options: LineOptions,
): HTMLElement {
  const element = document.createElement(name);
  const tag = languageOf(near, options);
  const base = tag.replace(/-.*/, '');
  const own = options.text?.[key];
  const all = typeof own === 'object' ? own : { [tag]: own };
  const said = all[tag] ?? all[base];
  const isEnglish = !said && (base === 'en' || key !== 'loading');
  element.lang = isEnglish ? 'en' : tag;
  if (isEnglish) element.dir = 'ltr';
  element.append(said ?? (isEnglish ? (all.en ?? words[key]) : createBar(options.merchantName)));
  return element;
}

/** The language that is named, or the page's; where several may be meant the widget chooses, later. */
function languageOf(element: Element, { locale = 'auto' }: LineOptions): string {
  if (/^(?!auto$)[\w-]+$/.test(`${locale}`)) return `${locale}`;
  return element.closest<HTMLElement>('[lang]')?.lang || navigator.language;
}

/** Says in every language that something is on its way: a screen reader has its own words for it. */
function createBar(name = ''): Element {
  const bar = document.createElement('progress');
  bar.ariaLabel = name;
  return bar;
}
