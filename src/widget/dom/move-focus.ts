/**
 * Moves the focus by script. Browsers then draw a frame even for shoppers without a keyboard, for example after a reload, so there is
 * none unless `showFrame`. `unhideFrame` ends that.
 */
export function moveFocus(element: HTMLElement, showFrame: boolean, options?: FocusOptions): void {
  element.toggleAttribute('data-no-frame', !showFrame);
  element.focus(options);
}

/** Lets an element show its focus frame again, when a key was pressed. */
export const unhideFrame = (element: Element): void => element.removeAttribute('data-no-frame');
