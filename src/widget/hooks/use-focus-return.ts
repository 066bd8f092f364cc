import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { returnFocus } from '../dom/return-focus.ts';
import { useCheckout } from './use-checkout.ts';

/**
 * Keeps the focus in the checkout. When the focused element is removed, the focus returns to the element that had it before the
 * leave dialog opened, or else moves to the title, and `onTitleRead` is called with the text that a screen reader then reads.
 * Returns a function that restores the focus at once; otherwise it is restored before the next task.
 */
export function useFocusReturn(
  card: RefObject<HTMLElement | null>,
  onTitleRead: (text: string) => void,
): () => void {
  const { leaving } = useCheckout().viewState;
  const restore = useRef(() => {});
  useLayoutEffect(() => {
    if (!card.current) return;
    const focus = returnFocus(card.current, leaving, onTitleRead);
    restore.current = focus.restore;
    return focus.stop;
  }, [card, leaving, onTitleRead]);
  return () => restore.current();
}
