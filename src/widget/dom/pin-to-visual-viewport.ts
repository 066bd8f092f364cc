/**
 * Keeps a fixed element on the visible part of the page, which is smaller than the page's viewport where the page is zoomed or
 * wider than the screen. Zooming in afterwards moves nothing, so that the reader can look closer. Returns a function that stops it.
 */
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
