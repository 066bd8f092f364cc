import { expect, inject } from 'vitest';
import type { JourneyPage } from './journey-page.ts';
import { control, digitsOf } from './shop-page.ts';

/** Selectors of the account number and of the card in a state. */
export const number = '[data-field="accountNumber"]';
export const card = (state: string): string => `.card[data-state="${state}"]`;

/** Returns the visible text of an element; empty without one. */
export const read = (page: JourneyPage, selector: string): Promise<string> =>
  page.evaluate((wanted) => {
    const found = window.watched.find(wanted);
    return found instanceof HTMLElement && found.getClientRects().length > 0 ? found.innerText : '';
  }, selector);

/** Waits until an element is shown with this text. */
export const until = (page: JourneyPage, selector: string, text: RegExp = /./): Promise<void> =>
  expect.poll(() => read(page, selector)).toMatch(text);

/** Clicks an element once it is shown. */
export async function press(page: JourneyPage, selector: string): Promise<void> {
  await until(page, selector);
  await page.click(selector);
}

/** Returns the lines of the errors since the page was opened. As one text, because WebKit's driver uses the page's own `toJSON` of lists. */
export async function complaintsOf(page: JourneyPage): Promise<string[]> {
  const text = await page.evaluate(() => window.watched.complaints.join('\n'));
  return text === '' ? [] : text.split('\n');
}

/** Sends money to the account that the page shows. */
export const pay = async (page: JourneyPage, amount = 1_250_000, url = inject('demoUrl')): Promise<unknown> =>
  control(url, 'transfers', { accountNumber: digitsOf(await read(page, number)), amount });

// The functions below run in the page.

/** Returns whether the checkout's styles apply to the account. */
export function isStyled(): boolean {
  const [shown, button] = ['.card', '.accountNumber button'].map(window.watched.find);
  if (!shown || !button) return false;
  return getComputedStyle(shown).borderTopLeftRadius !== '0px' && button.getBoundingClientRect().height >= 44;
}

/** Returns whether the dialog is in the top layer, above an element with the highest z-index. */
export function isAboveAll(): { isModal: boolean | undefined; isAbove: boolean } {
  const cover = document.body.appendChild(document.createElement('div'));
  Object.assign(cover.style, { position: 'fixed', inset: '0', zIndex: '2147483647' });
  const modal = document.querySelector('[data-checkout-modal]');
  const isAbove = document.elementFromPoint(innerWidth / 2, innerHeight / 2) === modal;
  cover.remove();
  return { isModal: modal?.shadowRoot?.querySelector('dialog')?.matches(':modal'), isAbove };
}

/** Returns the focused element in the modal, or `outside`. The browser's own bars may have the focus between two rounds. */
export function nameFocused(): string {
  const { activeElement } = document;
  if (activeElement === document.body) return 'the browser';
  const inner = activeElement?.matches('[data-checkout-modal]') && activeElement.shadowRoot?.activeElement;
  return inner ? inner.outerHTML : `outside: ${activeElement?.outerHTML}`;
}

declare global {
  interface Window {
    /** The account number and its positions, in order. */
    places: string[];
  }
}

/** Records them in `window.places` from now on. */
export function notePlaces(): void {
  window.places = [];
  const note = (): void => {
    const found = window.watched.find('[data-field="accountNumber"]');
    const { x, y, width, height } = found?.getBoundingClientRect() ?? new DOMRect();
    const place = [found?.textContent, ...[x, y, width, height].map(Math.round)].join();
    if (window.places.at(-1) !== place) window.places.push(place);
  };
  note();
  const root = document.querySelector('transfer-checkout')?.shadowRoot;
  if (root) new MutationObserver(note).observe(root, { childList: true, subtree: true });
}

/** Shows a gallery screen instead of the last one, and returns its layout. */
export async function showScreen(
  query: string,
): Promise<{ dir: unknown; isEmpty: boolean; overflow: number }> {
  history.pushState(null, '', query);
  dispatchEvent(new PopStateEvent('popstate'));
  const page = document.documentElement;
  // A timer, because an invisible window may have no animation frames.
  while (page.dataset.shown !== query) await new Promise((resolve) => setTimeout(resolve, 5));
  const shown = window.watched.find('.card');
  const text = shown instanceof HTMLElement ? shown.innerText : '';
  return {
    dir: shown?.getAttribute('dir'),
    isEmpty: text.trim() === '',
    overflow: page.scrollWidth - page.clientWidth,
  };
}
