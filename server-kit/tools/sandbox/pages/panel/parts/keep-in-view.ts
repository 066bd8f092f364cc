import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';

/**
 * Scrolls to a record when it opens, and again when new records or notices push its line out of view. A line that the user
 * has scrolled out of view stays there. Call it in a component that renders with each response of the sandbox.
 */
export function useKeepInView(
  record: RefObject<HTMLElement | null>,
  line: RefObject<HTMLElement | null>,
  isOpen: boolean,
): void {
  const isWanted = useRef(false);
  const pageHeight = useRef(0);

  useEffect(() => {
    if (!isOpen) return;
    isWanted.current = true;
    record.current?.scrollIntoView({ block: 'nearest' });
    // A record can be taller than the window.
    line.current?.scrollIntoView({ block: 'nearest' });
    return onMoved(({ type }) => {
      // The browser also scrolls when the page grows or shrinks.
      const isByHand = type === 'toggle' || pageHeight.current === document.documentElement.scrollHeight;
      pageHeight.current = document.documentElement.scrollHeight;
      if (isByHand) isWanted.current = isInView(line.current);
    });
  }, [isOpen]);

  // The browser's scroll anchoring does not work at the top of a page, where a short list is.
  useLayoutEffect(() => {
    pageHeight.current = document.documentElement.scrollHeight;
    if (isOpen && isWanted.current && !isInView(line.current))
      line.current?.scrollIntoView({ block: 'nearest' });
  });
}

/**
 * Calls `listener` after each scroll, and when the user opens or closes a part of the page. Returns a function that stops
 * it.
 */
function onMoved(listener: (event: Event) => void): () => void {
  const onToggle = (event: Event): void => {
    const { target } = event;
    if (target instanceof Element && target.contains(document.activeElement)) listener(event);
  };
  window.addEventListener('scroll', listener, { passive: true });
  // `toggle` does not bubble.
  document.addEventListener('toggle', onToggle, true);
  return () => {
    window.removeEventListener('scroll', listener);
    document.removeEventListener('toggle', onToggle, true);
  };
}

/** Whether the whole element is visible: sticky lines cover `scroll-padding`. */
function isInView(element: HTMLElement | null): boolean {
  if (element === null) return false;
  const { top, bottom } = element.getBoundingClientRect();
  const { scrollPaddingTop, scrollPaddingBottom } = getComputedStyle(document.documentElement);
  // Scrolling ends on whole pixels, elements do not.
  return (
    top >= Number.parseFloat(scrollPaddingTop) - 1 &&
    bottom <= innerHeight - Number.parseFloat(scrollPaddingBottom) + 1
  );
}
