/**
 * The words that are there before the widget is, or instead of it. They repeat two of the locale's messages, because
 * the script tag must not wait for that file.
 */
const words = {
  loading: 'Getting your account number…',
  failed: 'The payment details could not be loaded. Check your connection and load this page again.',
};

/** Writes one line of text into the shadow root of an element: a checkout is never blank. */
export function showLine(
  element: Element,
  key: keyof typeof words,
  text: { readonly loading?: string; readonly loadFailed?: string } = {},
): void {
  try {
    const root = element.shadowRoot ?? element.attachShadow({ mode: 'open' });
    const line = document.createElement('p');
    line.textContent = (key === 'loading' ? text.loading : text.loadFailed) ?? words[key];
    line.setAttribute('role', 'status');
    line.style.cssText = 'min-height:40em;margin:0;padding:1.25em;font:medium/1.45 system-ui,sans-serif';
    root.textContent = '';
    root.append(line);
  } catch {
    // Not an element that can hold anything: the mount says so.
  }
}
