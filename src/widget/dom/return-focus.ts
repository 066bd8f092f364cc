import { effect } from '@preact/signals';
import type { Leaving } from '../model/leaving.ts';
import { moveFocus, unhideRing } from './move-focus.ts';

/**
 * Keeps the focus in a card until `stop` is called. When the focused element is removed, the focus returns to the element that had it before
 * the leave dialog opened, or else moves to the title. `restore` restores the focus at once, and returns the text that a screen reader then
 * reads, if any. Without a call, the focus returns before the next task.
 */
export function returnFocus(
  card: HTMLElement,
  { pendingLeave }: Leaving,
): { readonly restore: () => string; readonly stop: () => void } {
  const root = card.getRootNode() as ShadowRoot;
  const tracked = trackFocus(card, root);
  let beforeDialog: Element | null | undefined;

  const restore = (): string => {
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
  };

  const observer = new MutationObserver(restore);
  observer.observe(card, { childList: true, subtree: true });
  let isOpen = false;
  const stopEffect = effect(() => {
    const isOpenNow = !!pendingLeave.value;
    if (isOpenNow && !isOpen) beforeDialog = root.activeElement ?? tracked.last()?.closest('a, button');
    isOpen = isOpenNow;
  });
  return {
    restore,
    stop() {
      observer.disconnect();
      stopEffect();
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
      unhideRing(target as Element);
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
