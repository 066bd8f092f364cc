import { type Copied, copy } from './copy-button.tsx';

/**
 * Hands something to the apps of the device, and copies `value` where it has no such thing. A shopper who thinks better
 * of it has copied nothing.
 */
export async function shareText(
  copied: Copied,
  data: ShareData,
  shown: Element | null | undefined,
): Promise<void> {
  try {
    if (!navigator.canShare?.(data)) throw new Error('Nothing to share with.');
    await navigator.share(data);
  } catch (error) {
    if ((error as Error).name !== 'AbortError') await copy(copied, shown);
  }
}
