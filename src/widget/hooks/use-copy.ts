import type { Messages } from '../../i18n/messages.ts';
import { copyText } from '../dom/clipboard.ts';
import { useCheckout } from './use-checkout.ts';

export type CopyActions = {
  /** Whether the value was copied; undefined unless it was the last that the shopper tried to copy. */
  readonly isCopied: boolean | undefined;
  /** Copies the value. When that fails, `shown` is left selected for the shopper to copy by hand. */
  readonly copy: (shown: Element | null | undefined) => Promise<void>;
  /** Shares `data` with another app, or copies the value when the device cannot share. */
  readonly share: (
    data: ShareData | (() => Promise<ShareData>),
    shown: Element | null | undefined,
  ) => Promise<void>;
};

/** Returns the actions that copy or share a value, and whether it was copied last. */
export function useCopy(field: keyof Messages, value: string): CopyActions {
  const { model, viewState } = useCheckout();
  const { lastCopy } = viewState;
  const last = lastCopy.value;

  const copy = async (shown: Element | null | undefined): Promise<void> => {
    const isCopied = await copyText(value, shown);
    if (isCopied && !model.emit('copied', { field })) return;
    lastCopy.value = { field, value, isCopied, count: (lastCopy.peek()?.count ?? 0) + 1 };
  };

  return {
    isCopied: last?.value === value && last.field === field ? last.isCopied : undefined,
    copy,
    async share(source, shown) {
      try {
        const data = typeof source === 'function' ? await source() : source;
        if (!navigator.canShare?.(data)) throw new Error('This device cannot share.');
        await navigator.share(data);
      } catch (error) {
        // The shopper has cancelled sharing: nothing is copied instead.
        if ((error as Error).name !== 'AbortError') await copy(shown);
      }
    },
  };
}
