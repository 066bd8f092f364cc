export type PayButtonOptions = {
  button: HTMLButtonElement;
  /** The popover that the button opens by itself until the scripts are ready. */
  starting: HTMLElement;
};

/**
 * Remembers a press on the button until the checkout can open, also one from before this script.
 *
 * @returns a function that sets what a press opens, and opens it if there was a press
 */
export function rememberPress({ button, starting }: PayButtonOptions): (open: () => void) => void {
  let isWanted = isShown(starting);
  let openNow: (() => void) | undefined;

  const openIfWanted = (): void => {
    if (!isWanted || openNow === undefined) return;
    isWanted = false;
    hide(starting);
    openNow();
  };
  button.removeAttribute('popovertarget');
  button.addEventListener('click', () => {
    isWanted = true;
    show(starting);
    openIfWanted();
  });
  // A shopper who dismisses the popover has changed their mind.
  starting.addEventListener('toggle', () => {
    isWanted &&= isShown(starting);
  });
  return (open) => {
    openNow = open;
    openIfWanted();
  };
}

// Without popovers (before Chrome 114, Firefox 125 and Safari 17), a style rule hides the element.
const isSupported = (): boolean => typeof HTMLElement.prototype.showPopover === 'function';

const isShown = (popover: HTMLElement): boolean => isSupported() && popover.matches(':popover-open');

function show(popover: HTMLElement): void {
  if (isSupported() && !isShown(popover)) popover.showPopover();
}

export function hide(popover: HTMLElement): void {
  if (isShown(popover)) popover.hidePopover();
}
