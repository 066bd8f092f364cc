import type { ReadonlySignal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

/** Moves the focus by script. Hides the focus ring unless `showRing`: browsers then show it even to shoppers without a keyboard. */
export function moveFocus(element: HTMLElement, showRing: boolean, options?: FocusOptions): void {
  element.toggleAttribute('data-no-ring', !showRing);
  element.focus(options);
}

/**
 * When the focused element is removed, moves the focus to the element that had it before the leave dialog opened, or else to the title.
 * The returned function does so at once, and returns the text that a screen reader then reads.
 */
export function useReturnFocus(
  card: RefObject<HTMLElement | null>,
  pendingLeave: ReadonlySignal<unknown>,
): () => string {
  const restore = useRef((): string => '');
  useEffect(() => {
    if (!card.current) return;
    const focus = createReturnFocus(card.current);
    restore.current = focus.restore;
    const observer = new MutationObserver(focus.restore);
    observer.observe(card.current, { childList: true, subtree: true });
    const stop = pendingLeave.subscribe((isPending) => focus.remember(!!isPending));
    return () => {
      observer.disconnect();
      stop();
    };
  }, [card, pendingLeave]);
  return () => restore.current();
}

function createReturnFocus(card: HTMLElement) {
  const root = card.getRootNode() as ShadowRoot;
  const tracked = trackFocus(card, root);
  let beforeDialog: Element | null | undefined;
  let isOpen = false;
  return {
    remember(isOpenNow: boolean): void {
      if (isOpenNow && !isOpen) beforeDialog = root.activeElement ?? tracked.last()?.closest('a, button');
      isOpen = isOpenNow;
    },
    restore(): string {
      const removed = tracked.last();
      let read = '';
      if (!removed || removed.isConnected || root.activeElement) return read;
      const title = card.querySelector('h2');
      if (beforeDialog?.isConnected) moveFocus(beforeDialog as HTMLElement, tracked.isByKeyboard());
      else if (title) {
        // Browsers would scroll a title that is out of sight to the middle, and the explanation out of sight.
        moveFocus(title, tracked.isByKeyboard(), { preventScroll: true });
        title.scrollIntoView({ block: 'nearest' });
        read = `${title.textContent}`;
      }
      beforeDialog = undefined;
      tracked.reset();
      return read;
    },
  };
}

/** Tracks the element that has the focus or was just pressed (Safari does not focus a pressed button), and whether by keyboard. */
function trackFocus(card: Element, root: ShadowRoot) {
  let focused: Element | undefined;
  let pressed: Element | undefined;
  let isByKeyboard = false;
  card.addEventListener('pointerdown', () => {
    isByKeyboard = false;
  });
  // The key that moves the focus into the card is released there.
  for (const name of ['keydown', 'keyup']) {
    card.addEventListener(name, ({ target }) => {
      isByKeyboard = true;
      (target as Element).removeAttribute('data-no-ring');
    });
  }
  card.addEventListener('focusin', ({ target }) => {
    focused = target as Element;
  });
  card.addEventListener('focusout', () => {
    queueMicrotask(() => {
      // A removed element loses the focus, too; a connected one has lost it to another element.
      if (focused?.isConnected && root.activeElement !== focused) focused = undefined;
    });
  });
  card.addEventListener(
    'click',
    ({ target }) => {
      pressed = target as Element;
      setTimeout(() => {
        pressed = undefined;
      });
    },
    true,
  );
  return {
    last: (): Element | undefined => focused ?? pressed,
    isByKeyboard: () => isByKeyboard,
    reset(): void {
      focused = root.activeElement ?? undefined;
      pressed = undefined;
    },
  };
}
