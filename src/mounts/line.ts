import type { OwnTexts } from '../locales/messages.ts';

/**
 * The words that are there before the widget is, or instead of it. They are not among the locale's, because the
 * script tag must not wait for that file.
 */
const words = {
  loading: 'Getting your account number…',
  loadFailed: 'This could not be loaded. Check your connection and load the page again.',
};

/** Writes one line of text into the shadow root of an element: a checkout is never blank. */
export function showLine(element: Element, key: 'loading' | 'loadFailed', text: OwnTexts = {}): void {
  try {
    const root = element.shadowRoot ?? element.attachShadow({ mode: 'open' });
    // What a server has rendered says more.
    if (root.querySelector('[data-rendered]')) return;
    const line = document.createElement('p');
    const own = text[key];
    line.textContent =
      (typeof own === 'object' ? (own[document.documentElement.lang] ?? own.en) : own) ?? words[key];
    line.setAttribute('role', 'status');
    line.style.cssText = 'min-height:40em;margin:0;padding:1.25em;font:medium/1.45 system-ui,sans-serif';
    root.textContent = '';
    root.append(line);
  } catch {
    // Not an element that can hold anything: the mount says so.
  }
}
