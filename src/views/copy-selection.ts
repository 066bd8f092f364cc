/**
 * Selects what is shown and copies `value` in its place, for pages without a clipboard. False when the browser will
 * not; what is shown stays selected then, for the shopper to copy by hand.
 */
export function copySelection(value: string, shown: Element | null): boolean {
  const putValue = (event: ClipboardEvent): void => {
    event.clipboardData?.setData('text/plain', value);
    event.preventDefault();
  };
  if (shown) getSelection()?.selectAllChildren(shown);
  addEventListener('copy', putValue, true);
  try {
    return document.execCommand('copy');
  } catch {
    return false;
  } finally {
    removeEventListener('copy', putValue, true);
  }
}
