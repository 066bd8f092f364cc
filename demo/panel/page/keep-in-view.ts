import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';

/**
 * Scrolls to a record when it opens, and again when records or notices that arrive above its line push the line out of
 * view. A line that somebody has scrolled out of view stays there. Call it in the component that is rendered with each
 * response of the sandbox.
 */
export function useKeepInView(
  record: RefObject<HTMLElement | null>,
  line: RefObject<HTMLElement | null>,
  isOpen: boolean,
): void {
  const isWanted = useRef(false);

  useEffect(() => {
    if (!isOpen) return;
    isWanted.current = true;
    record.current?.scrollIntoView({ block: 'nearest' });
    return onMovedByHand(() => {
      isWanted.current = isInView(line.current);
    });
  }, [isOpen]);

  // The browser's own scroll anchoring does nothing at the top of a page, which is where a short list stands.
  useLayoutEffect(() => {
    if (isOpen && isWanted.current && !isInView(line.current))
      line.current?.scrollIntoView({ block: 'nearest' });
  });
}

/** Calls `listener` after each scroll, and when somebody opens or closes a part of the page. Returns how to stop. */
function onMovedByHand(listener: () => void): () => void {
  const onToggle = ({ target }: Event): void => {
    if (target instanceof Element && target.contains(document.activeElement)) listener();
  };
  window.addEventListener('scroll', listener, { passive: true });
  // `toggle` does not bubble.
  document.addEventListener('toggle', onToggle, true);
  return () => {
    window.removeEventListener('scroll', listener);
    document.removeEventListener('toggle', onToggle, true);
  };
}

/** Whether all of it can be seen: the lines that stick to the top and the bottom cover `scroll-padding`. */
function isInView(element: HTMLElement | null): boolean {
  if (element === null) return false;
  const { top, bottom } = element.getBoundingClientRect();
  const { scrollPaddingTop, scrollPaddingBottom } = getComputedStyle(document.documentElement);
  // A scroll ends on a whole pixel, an element does not.
  return (
    top >= Number.parseFloat(scrollPaddingTop) - 1 &&
    bottom <= innerHeight - Number.parseFloat(scrollPaddingBottom) + 1
  );
}
