import { pageDocument } from './page.ts';

let locks = 0;
let restore = (): void => {};

/** Prevents the page from scrolling behind a modal. Several modals share one lock. Returns a function that ends this one. */
export function lockScroll(): () => void {
  locks += 1;
  if (locks === 1) restore = hideOverflow();
  let isHeld = true;
  return () => {
    if (isHeld) locks -= 1;
    if (isHeld && locks === 0) restore();
    isHeld = false;
  };
}

function hideOverflow(): () => void {
  const { style, clientWidth } = pageDocument.documentElement;
  const before = ['overflow', 'scrollbar-gutter'].map(
    (name) => [name, style.getPropertyValue(name), style.getPropertyPriority(name)] as const,
  );
  // The page's own rules may be important, too.
  style.setProperty('overflow', 'hidden', 'important');
  if (innerWidth > clientWidth) style.setProperty('scrollbar-gutter', 'stable', 'important');
  return () => {
    for (const [name, value, priority] of before) style.setProperty(name, value, priority);
  };
}

export function pinToVisualViewport({ style }: HTMLElement): () => void {
  const { visualViewport } = window;
  if (!visualViewport) return () => {};
  const { scale: firstScale } = visualViewport;
  const place = (): void => {
    const { offsetLeft, offsetTop, width, height, scale } = visualViewport;
    if (scale > firstScale) return;
    style.left = `${offsetLeft}px`;
    style.top = `${offsetTop}px`;
    style.width = `${width}px`;
    style.height = `${height}px`;
  };
  place();
  visualViewport.addEventListener('resize', place);
  return () => visualViewport.removeEventListener('resize', place);
}
