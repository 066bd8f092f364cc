/** How long a clipboard write may take. Some browsers never settle it where a page may not use the clipboard. */
const timeoutMs = 1500;

/** Copies a value, and returns whether that worked. Otherwise `shown` is left selected, so that the shopper can copy it by hand. */
export async function copyText(value: string, shown: Element | null | undefined): Promise<boolean> {
  try {
    await Promise.race([
      navigator.clipboard.writeText(value),
      new Promise((_, reject) => setTimeout(reject, timeoutMs)),
    ]);
    return true;
  } catch {
    if (shown) getSelection()?.selectAllChildren(shown);
    return copySelection(value);
  }
}

function copySelection(value: string): boolean {
  const setValue = (event: ClipboardEvent): void => {
    event.clipboardData?.setData('text/plain', value);
    event.preventDefault();
  };
  addEventListener('copy', setValue, true);
  try {
    return document.execCommand('copy');
  } catch {
    return false;
  } finally {
    removeEventListener('copy', setValue, true);
  }
}
