import { useSignal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useEffect } from 'preact/hooks';

/** The widths at which the bank app lies below the checkout. The page's style sheet has the others. */
const narrow = '(max-width: 51.99rem)';

/** Whether the bank app is a sheet at the bottom of the window. */
export function useIsSheet(): boolean {
  const isSheet = useSignal(matchMedia(narrow).matches);
  useEffect(() => {
    const query = matchMedia(narrow);
    const update = (): void => {
      isSheet.value = query.matches;
    };
    query.addEventListener('change', update);
    return () => query.removeEventListener('change', update);
  }, []);
  return isSheet.value;
}

/**
 * Tells the page's style sheet the sheet's height, so that everything can be scrolled out from under it, and the height of an
 * on-screen keyboard, so that the sheet stays above it.
 */
export function useRoomForSheet(sheet: RefObject<HTMLElement | null>, isSheet: boolean): void {
  useEffect(() => {
    const { style } = document.documentElement;
    const element = sheet.current;
    if (!isSheet || element === null) return;
    const measured = new ResizeObserver(() => {
      style.setProperty('--sheet-height', `${element.offsetHeight}px`);
    });
    measured.observe(element);
    const stopKeyboard = followKeyboard((height) => style.setProperty('--keyboard-height', `${height}px`));
    return () => {
      measured.disconnect();
      stopKeyboard();
      style.removeProperty('--sheet-height');
      style.removeProperty('--keyboard-height');
    };
  }, [isSheet]);
}

function followKeyboard(report: (height: number) => void): () => void {
  const view = window.visualViewport;
  if (!view) return () => {};
  const measure = (): void => {
    // A zoomed-in view is smaller, too, without a keyboard.
    const hidden = view.scale > 1.01 ? 0 : window.innerHeight - view.height - view.offsetTop;
    report(Math.max(0, Math.round(hidden)));
  };
  view.addEventListener('resize', measure);
  view.addEventListener('scroll', measure);
  return () => {
    view.removeEventListener('resize', measure);
    view.removeEventListener('scroll', measure);
  };
}
