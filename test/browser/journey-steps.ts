import { expect, inject } from 'vitest';
import type { JourneyPage } from './journey-page.ts';
import { control, digitsOf } from './shop-page.ts';

/** Where the account number stands, and the card of a state. */
export const number = '[data-field="accountNumber"]';
export const card = (state: string): string => `.card[data-state="${state}"]`;

/** What stands in the page, as a shopper reads it; nothing where it is not there. */
export const read = (page: JourneyPage, selector: string): Promise<string> =>
  page.evaluate((wanted) => {
    const found = window.watched.find(wanted);
    return found instanceof HTMLElement && found.getClientRects().length > 0 ? found.innerText : '';
  }, selector);

/** Waits for it to be shown, with such a text. */
export const until = (page: JourneyPage, selector: string, text: RegExp = /./): Promise<void> =>
  expect.poll(() => read(page, selector)).toMatch(text);

/** Presses it as soon as it is shown. */
export async function press(page: JourneyPage, selector: string): Promise<void> {
  await until(page, selector);
  await page.click(selector);
}

/** What has gone wrong since the page was opened. */
export const complaintsOf = (page: JourneyPage): Promise<string[]> =>
  page.evaluate(() => [...window.watched.complaints]);

/** Sends money to the account that the page shows. */
export const transfer = async (
  page: JourneyPage,
  amount = 1_250_000,
  url = inject('demoUrl'),
): Promise<unknown> =>
  control(url, 'transfers', { accountNumber: digitsOf(await read(page, number)), amount });

// What follows runs in the page.

/** Whether the account stands as only the checkout's styles make it. */
export function isStyled(): boolean {
  const [shown, button] = ['.card', '.accountNumber button'].map(window.watched.find);
  if (!shown || !button) return false;
  return getComputedStyle(shown).borderTopLeftRadius !== '0px' && button.getBoundingClientRect().height >= 44;
}

/** Whether the dialog is in the top layer: there alone it lies above an element that lies above all others. */
export function isAboveAll(): { isModal: boolean | undefined; isAbove: boolean } {
  const cover = document.body.appendChild(document.createElement('div'));
  Object.assign(cover.style, { position: 'fixed', inset: '0', zIndex: '2147483647' });
  const modal = document.querySelector('[data-checkout-modal]');
  const isAbove = document.elementFromPoint(innerWidth / 2, innerHeight / 2) === modal;
  cover.remove();
  return { isModal: modal?.shadowRoot?.querySelector('dialog')?.matches(':modal'), isAbove };
}

/** What has the focus in the modal, or that it is outside. A browser's own bars may have it between two rounds. */
export function nameFocused(): string {
  const { activeElement } = document;
  if (activeElement === document.body) return 'the browser';
  const inner = activeElement?.matches('[data-checkout-modal]') && activeElement.shadowRoot?.activeElement;
  return inner ? inner.outerHTML : `outside: ${activeElement?.outerHTML}`;
}

declare global {
  interface Window {
    /** What the account number was, and where it stood, one after the other. */
    places: string[];
  }
}

/** Notes it in `window.places` from now on, whatever happens in the checkout. */
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

/** Shows a screen of the gallery in place of the last one, and says how it stands. */
export async function showScreen(
  query: string,
): Promise<{ dir: unknown; isEmpty: boolean; overflow: number }> {
  history.pushState(null, '', query);
  dispatchEvent(new PopStateEvent('popstate'));
  const page = document.documentElement;
  // By a timer: a window that nobody sees may have no frames.
  while (page.dataset.shown !== query) await new Promise((resolve) => setTimeout(resolve, 5));
  const shown = window.watched.find('.card');
  const text = shown instanceof HTMLElement ? shown.innerText : '';
  return {
    dir: shown?.getAttribute('dir'),
    isEmpty: text.trim() === '',
    overflow: page.scrollWidth - page.clientWidth,
  };
}
