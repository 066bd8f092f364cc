import type { RefObject } from 'preact';
import { useEffect } from 'preact/hooks';
import { loadPart } from '../core/load-part.ts';
import type { Messages } from '../i18n/messages.ts';
import { useCheckout } from './context.tsx';
import { copyText } from './dom/clipboard.ts';
import { whenIdle } from './dom/page.ts';

/** Returns the actions that copy or share a value, and whether it was copied last. */
export function useCopy(field: keyof Messages, value: string) {
  const { model, viewState } = useCheckout();
  const { lastCopy } = viewState;
  const last = lastCopy.value;

  const copy = async (shown: Element | null | undefined): Promise<void> => {
    const isCopied = await copyText(value, shown);
    if (isCopied && !model.emit('copied', { field })) return;
    lastCopy.value = { field, value, isCopied, count: (lastCopy.peek()?.count ?? 0) + 1 };
  };

  return {
    /** Whether the value was copied; undefined unless it was the last that the shopper tried to copy. */
    isCopied: last?.value === value && last.field === field ? last.isCopied : undefined,
    /** Copies the value. When that fails, `shown` is left selected for the shopper to copy by hand. */
    copy,
    /** Shares `data` with another app, or copies the value when the device cannot share. */
    async share(data: ShareData, shown: Element | null | undefined): Promise<void> {
      try {
        if (!navigator.canShare?.(data)) throw new Error('This device cannot share.');
        await navigator.share(data);
      } catch (error) {
        // The shopper has cancelled sharing: nothing is copied instead.
        if ((error as Error).name !== 'AbortError') await copy(shown);
      }
    },
  };
}

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
        if (element.current?.getClientRects().length) loadPart(name, importPart).catch(() => {});
      }),
    [name, importPart, element],
  );
}
