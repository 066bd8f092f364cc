/**
 * Copies `value` in place of what is selected, for pages without a clipboard. False when the browser will not; what is
 * selected stays so, for the shopper to copy by hand.
 */
export function copySelection(value: string): boolean {
  const putValue = (event: ClipboardEvent): void => {
    event.clipboardData?.setData('text/plain', value);
    event.preventDefault();
  };
  addEventListener('copy', putValue, true);
  try {
    return document.execCommand('copy');
  } catch {
    return false;
  } finally {
    removeEventListener('copy', putValue, true);
  }
}
