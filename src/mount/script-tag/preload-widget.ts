import { loadWhenIdle } from '../../ui/when-idle.ts';
import { type Page, reopen } from '../reopen/reopen.ts';

const marks = '[data-transfer-checkout],transfer-checkout';

/**
 * Does what a page can do before anybody presses a button. The widget is loaded once: when the page is idle and has a button or an
 * element, unless the shopper saves data; or when a pointer or the focus comes to one. And what was open opens again.
 */
export function prepare(page: Page & { readonly preload: () => void }): void {
  let isDone = false;
  const once = (found: HTMLElement | null): void => {
    if (isDone || !found) return;
    isDone = true;
    page.preload();
  };
  // A finger is a pointer, too.
  for (const type of ['pointerover', 'focusin']) {
    document.addEventListener(type, ({ target }) => once((target as Element).closest(marks)));
  }
  const waitUntilIdle = (): void => void loadWhenIdle(() => once(document.querySelector(marks)));
  if (document.readyState === 'complete') waitUntilIdle();
  else addEventListener('load', waitUntilIdle);
  void reopen(page);
}
