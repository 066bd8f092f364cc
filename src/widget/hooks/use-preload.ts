import type { RefObject } from 'preact';
import { useEffect } from 'preact/hooks';
import { loadLazyPart } from '../../core/connection/lazy-part.ts';
import { whenIdle } from '../dom/when-idle.ts';

/** Preloads a lazy part when the browser is idle, so that it works without a network later. Skips an element that styles hide. */
export function usePreload(
  name: string,
  importPart: () => Promise<unknown>,
  element: RefObject<Element | null>,
): void {
  useEffect(
    () =>
      whenIdle(() => {
        // A part that fails to load now is loaded when it is needed.
        if (element.current?.getClientRects().length) loadLazyPart(name, importPart).catch(() => {});
      }),
    [name, importPart, element],
  );
}
