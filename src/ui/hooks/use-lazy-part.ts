import { useState } from 'preact/hooks';
import { loadLazyPart } from '../../model/index.ts';

/** A lazy part in the hands of a component: not asked for, on its way, not to be had, or there. */
export type LazyPart<Part> =
  | { readonly name: 'idle' | 'loading' | 'failed' }
  | { readonly name: 'loaded'; readonly part: Part };

/** Loads a part when `load` is called, also again after it has failed. `forget` goes back to the beginning. */
export function useLazyPart<Part>(
  name: string,
  importPart: () => Promise<Part>,
): { readonly lazy: LazyPart<Part>; readonly load: () => Promise<void>; readonly forget: () => void } {
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
    forget: () => setLazy({ name: 'idle' }),
  };
}
