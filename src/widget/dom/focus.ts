import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

/** Moves the focus by script, without scrolling. Browsers then show a focus ring even to shoppers without a keyboard: `showRing` decides. */
export function moveFocus(element: HTMLElement, showRing: boolean): void {
  element.toggleAttribute('data-no-ring', !showRing);
  element.focus({ preventScroll: true });
}

/**
 * Moves the focus to the title when the focused element is removed. The returned function does so at once, and returns the text that a
 * screen reader then reads.
 */
export function useReturnFocus(card: RefObject<HTMLElement | null>): () => string {
  const restore = useRef((): string => '');
  useEffect(() => {
    if (!card.current) return;
    restore.current = createReturnFocus(card.current);
    const observer = new MutationObserver(restore.current);
    observer.observe(card.current, { childList: true, subtree: true });
    return () => observer.disconnect();
  }, [card]);
  return () => restore.current();
}

function createReturnFocus(card: HTMLElement): () => string {
  const root = card.getRootNode() as ShadowRoot;
  const last = trackFocus(card, root);
  return () => {
    const title = card.querySelector('h2');
    if (!last.focused || last.focused.isConnected || root.activeElement || !title) return '';
    // Browsers would scroll a title that is out of sight to the middle, and the explanation out of sight.
    moveFocus(title, last.isByKeyboard);
    title.scrollIntoView({ block: 'nearest' });
    return `${title.textContent}`;
  };
}

/** Tracks the element that has the focus, and whether the shopper uses the keyboard. */
function trackFocus(card: Element, root: ShadowRoot) {
  const last = { focused: undefined as Element | undefined, isByKeyboard: false };
  card.addEventListener('pointerdown', () => {
    last.isByKeyboard = false;
  });
  // The key that moves the focus into the card is released there.
  for (const name of ['keydown', 'keyup']) {
    card.addEventListener(name, ({ target }) => {
      last.isByKeyboard = true;
      (target as Element).removeAttribute('data-no-ring');
    });
  }
  card.addEventListener('focusin', ({ target }) => {
    last.focused = target as Element;
  });
  card.addEventListener('focusout', () => {
    queueMicrotask(() => {
      // A removed element loses the focus, too; a connected one has lost it to another element.
      if (last.focused?.isConnected && root.activeElement !== last.focused) last.focused = undefined;
    });
  });
  const focusPressed = ({ target }: Event): void => {
    const control = (target as Element).closest<HTMLElement>('a, button');
    // Safari does not focus what is pressed.
    if (control && control !== last.focused) moveFocus(control, last.isByKeyboard);
  };
  card.addEventListener('click', focusPressed, true);
  return last;
}
