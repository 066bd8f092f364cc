import { hrefOf, readRoute } from './route.ts';

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.closest('input, select, textarea') !== null;

/** Closes open menus when the user presses outside them. */
export function closeMenusOnOutsidePress(page: Document): void {
  page.addEventListener('pointerdown', ({ target }) => {
    for (const menu of page.querySelectorAll<HTMLDetailsElement>('details.menu[open]')) {
      if (!menu.contains(target as Node)) menu.open = false;
    }
  });
}

/**
 * Adds keyboard shortcuts: `/` focuses the filter; Escape closes what is open and focuses what opened it. After a link to a
 * record, focuses the record if the link is gone.
 */
export function addKeyboardShortcuts(page: Document): void {
  window.addEventListener('hashchange', () => {
    // After the record is rendered.
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
  // Otherwise the slash would be typed into the filter.
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
