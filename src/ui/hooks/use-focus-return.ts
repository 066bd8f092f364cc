import { effect } from '@preact/signals';
import type { Timers } from '../../model/index.ts';

export type KeptFocus = {
  /** Restores the focus at once, where what had it is gone; it is restored anyway before the next task. */
  readonly restore: () => void;
  readonly stop: () => void;
};

/**
 * Keeps the focus in the checkout that is shown in `place`. Restores it to the element that had it before a question was asked. Where
 * the element that has it goes with its screen, the title gets it, and `onRead` is called with what is read for that.
 */
export function keepFocus(
  place: Element,
  { leaving }: Pick<Timers, 'leaving'>,
  onRead: (text: string) => void,
): KeptFocus {
  const root = place.getRootNode() as ShadowRoot;
  const tracked = trackFocus(place, root);
  let before: Element | null | undefined;

  const restore = (): void => {
    const gone = tracked.last();
    if (!gone || gone.isConnected || root.activeElement) return;
    const title = place.querySelector('h2');
    if (before?.isConnected) (before as HTMLElement).focus();
    else if (title) {
      title.focus();
      onRead(`${title.textContent}`);
    }
    before = undefined;
    tracked.forget();
  };

  const observer = new MutationObserver(restore);
  observer.observe(place, { childList: true, subtree: true });
  let isAsked = false;
  const stopNoting = effect(() => {
    const isAskedNow = !!leaving.value;
    if (isAskedNow && !isAsked) before = root.activeElement ?? tracked.last()?.closest('a, button');
    isAsked = isAskedNow;
  });
  return {
    restore,
    stop() {
      observer.disconnect();
      stopNoting();
    },
  };
}

/** Knows what has the focus, or was just pressed: Safari gives no focus to what is pressed, and it may go for that press. */
function trackFocus(place: Element, root: ShadowRoot) {
  let focused: Element | undefined;
  let pressed: Element | undefined;
  place.addEventListener('focusin', ({ target }) => {
    focused = target as Element;
  });
  place.addEventListener('focusout', () => {
    queueMicrotask(() => {
      // An element that goes loses the focus, too; one that stays has lost it to something else.
      if (focused?.isConnected && root.activeElement !== focused) focused = undefined;
    });
  });
  place.addEventListener(
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
    forget(): void {
      focused = root.activeElement ?? undefined;
      pressed = undefined;
    },
  };
}
