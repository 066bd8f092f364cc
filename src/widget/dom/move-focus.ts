/**
 * Moves the focus by script. Hides the focus ring unless `showRing`, because browsers then show it even to shoppers without a keyboard,
 * for example after a reload. `unhideRing` ends that.
 */
export function moveFocus(element: HTMLElement, showRing: boolean, options?: FocusOptions): void {
  element.toggleAttribute('data-no-ring', !showRing);
  element.focus(options);
}

/** Lets an element show its focus ring again, when a key was pressed. */
export const unhideRing = (element: Element): void => element.removeAttribute('data-no-ring');
