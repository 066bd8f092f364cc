import { closestTarget, pageDocument } from '../../widget/dom/page.ts';
import { whenIdle } from '../../widget/dom/when-idle.ts';

const openers = '[data-transfer-checkout],transfer-checkout';

/**
 * Calls `preload` once, before the widget is needed: when the page is idle and has a button or an element, unless the shopper saves
 * data; or when a pointer or the focus reaches one.
 */
export function preloadWidget(preload: () => void): void {
  let isDone = false;
  const preloadFor = (opener: HTMLElement | null): void => {
    if (isDone || !opener) return;
    isDone = true;
    preload();
  };
  // Touches fire `pointerover`, too.
  for (const type of ['pointerover', 'focusin']) {
    pageDocument.addEventListener(type, (event) => preloadFor(closestTarget(event, openers)));
  }
  const preloadWhenIdle = (): void => void whenIdle(() => preloadFor(pageDocument.querySelector(openers)));
  if (pageDocument.readyState === 'complete') preloadWhenIdle();
  else addEventListener('load', preloadWhenIdle);
}
