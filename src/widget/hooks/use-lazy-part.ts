import type { RefObject } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { loadLazyPart } from '../../core/connection/lazy-part.ts';
import { whenIdle } from '../dom/when-idle.ts';

/** A lazy part as a component sees it. */
export type LazyPart<Part> =
  | { readonly name: 'idle' | 'loading' | 'failed' }
  | { readonly name: 'loaded'; readonly part: Part };

/** Loads a lazy part when `load` is called; a failed load can be repeated. `reset` goes back to `idle`. */
export function useLazyPart<Part>(
  name: string,
  importPart: () => Promise<Part>,
): { readonly lazy: LazyPart<Part>; readonly load: () => Promise<void>; readonly reset: () => void } {
  const [lazy, setLazy] = useState<LazyPart<Part>>({ name: 'idle' });
  return {
    lazy,
    async load() {
      setLazy({ name: 'loading' });
      try {
        setLazy({ name: 'loaded', part: await loadLazyPart(name, importPart) });
      } catch {
        setLazy({ name: 'failed' });
      }
    },
    reset: () => setLazy({ name: 'idle' }),
  };
}

/** Preloads a lazy part when the browser is idle, so that it works without a network later. Not where styles hide the element that needs it. */
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
