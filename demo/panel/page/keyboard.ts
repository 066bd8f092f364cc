import { hrefOf, readRoute } from '../model/route.ts';

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.closest('input, select, textarea') !== null;

/** A press rowActions an open menu closes it: it lies above what was pressed. */
export function closeMenusOnOutsidePress(page: Document): void {
  page.addEventListener('pointerdown', ({ target }) => {
    for (const menu of page.querySelectorAll<HTMLDetailsElement>('details.menu[open]')) {
      if (!menu.contains(target as Node)) menu.open = false;
    }
  });
}

/**
 * `/` goes to the filter; Escape closes what is open, and goes back to what opened it. A link to a record takes the
 * focus along, where the link itself is gone.
 */
export function addKeyboardShortcuts(page: Document): void {
  window.addEventListener('hashchange', () => {
    // The record is drawn by then.
    requestAnimationFrame(() => {
      if (page.activeElement === page.body) openLink(page)?.focus();
    });
  });
  page.addEventListener('keydown', (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === '/' && !isTyping(event.target)) focusFilter(page, event);
    if (event.key === 'Escape') close(page, event.target);
  });
}

function focusFilter(page: Document, event: KeyboardEvent): void {
  const filter = page.querySelector<HTMLInputElement>('[data-field="filter"]');
  if (filter === null) return;
  // Or the slash would be typed into it.
  event.preventDefault();
  filter.focus();
}

function close(page: Document, target: EventTarget | null): void {
  const menu = target instanceof Element ? target.closest<HTMLDetailsElement>('details.menu[open]') : null;
  if (menu !== null) {
    menu.open = false;
    menu.querySelector('summary')?.focus();
    return;
  }
  const { section, id } = readRoute(location.hash);
  if (id === undefined) return;
  openLink(page)?.focus();
  location.hash = hrefOf(section);
}

const openLink = (page: Document): HTMLAnchorElement | null =>
  page.querySelector('.record[data-open="true"] .record-link');
