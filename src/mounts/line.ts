import type { CheckoutOptions } from './options.ts';

/**
 * The words that are there before the widget is, or instead of it. They are not among the locale's, because the
 * script tag must not wait for that file.
 */
const words = {
  loading: 'Getting your account number…',
  loadFailed: 'This could not be loaded. Check your connection and load the page again.',
};

type LineOptions = Pick<CheckoutOptions, 'text' | 'locale' | 'merchantName'>;

/**
 * Writes one line into the shadow root of an element: a checkout is never blank. While it loads, a bar without words
 * stands where neither the merchant's nor English ones would be in the page's language. A failure always has words.
 */
export function showLine(element: Element, key: keyof typeof words, options: LineOptions = {}): void {
  try {
    const root = element.shadowRoot ?? element.attachShadow({ mode: 'open' });
    // What a server has rendered says more.
    if (root.querySelector('[data-rendered]')) return;
    const line = document.createElement('p');
    const tag = languageOf(element, options);
    const base = tag.replace(/-.*/, '');
    const own = options.text?.[key];
    const all = typeof own === 'object' ? own : { [tag]: own };
    const said = all[tag] ?? all[base];
    const isEnglish = !said && (base === 'en' || key === 'loadFailed');
    line.lang = isEnglish ? 'en' : tag;
    if (isEnglish) line.dir = 'ltr';
    line.append(said ?? (isEnglish ? (all.en ?? words[key]) : createBar(options.merchantName)));
    line.setAttribute('role', 'status');
    line.style.cssText =
      'min-height:40em;margin:0;padding:1.25em;font:medium/1.45 system-ui,sans-serif;accent-color:gray';
    root.textContent = '';
    root.append(line);
  } catch {
    // Not an element that can hold anything: the mount says so.
  }
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
